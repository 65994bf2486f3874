import { randomUUID } from "node:crypto";
import type { Trail, TrailPage, TrailRecord } from "../../core/trail.ts";
import { findDocuments } from "./find-documents.ts";
import { parseMessage } from "./message.ts";
import type { RecordedState } from "./recorded-state.ts";
import type { Repository } from "./repository.ts";
import type { Git } from "./run-git.ts";
import type { RunResult } from "./run-writer.ts";
import { writeRun } from "./write-run.ts";

export interface RunContext {
  readonly trail: Trail;
  readonly repository: Repository;
  readonly git: Git;
  readonly now: () => number;
}

export interface Run {
  readonly state: RecordedState;
  readonly operations: number;
  /** Whether more was written in the meantime. */
  readonly more: boolean;
}

const importTimeoutMs = 30 * 60_000;

/**
 * One run of the recorder, with its lock held: everything since the last one becomes commits, written by one process
 * that moves nothing before all of it is on disk. Killed at any moment, the next run begins where this one did.
 */
export async function recordRun(before: RecordedState, context: RunContext): Promise<Run> {
  const { trail, git, repository } = context;
  const page = await trail.records(before.positions);
  const records = await withoutKnown(page, before.tip, git);
  const found = findDocuments(trail, before);
  // Whatever has a record by now was not written by somebody else, and is left to the next run.
  const later = await trail.records({ ...before.positions, ...page.positions });
  const isLater = new Set<string>(later.records.map(({ path }) => path));
  const more = later.records.length > 0;
  const branch = repository.runBranch(randomUUID());
  const commands = writeRun({
    ...context,
    before,
    records,
    positions: page.positions,
    found,
    isLater,
    branch: branch.name,
  });
  const first = await commands.next();
  if (first.done) return { state: first.value.state, operations: 0, more };
  let result: RunResult | undefined;
  async function* stream() {
    yield Buffer.from("feature done\n");
    let command = first;
    for (; !command.done; command = await commands.next()) yield command.value;
    result = command.value;
    // Without this word, as after a kill, nothing of it counts.
    yield Buffer.from("done\n");
  }
  await git.run(["fast-import", "--quiet", "--done"], { input: stream(), timeoutMs: importTimeoutMs });
  const tip = branch.tip();
  if (tip === undefined || !result) throw new Error("git fast-import made no commit");
  await repository.moveTip(tip);
  branch.remove();
  return { state: { ...result.state, tip }, operations: result.operations, more };
}

/** A journal that a power cut shortened is read again from its beginning: what history has of it is passed over. */
async function withoutKnown(
  { records, gaps }: TrailPage,
  tip: string | undefined,
  git: Git,
): Promise<readonly TrailRecord[]> {
  if (tip === undefined || gaps.length === 0) return records;
  const printed = await git.run(["log", "-z", "--format=%B", tip], { timeoutMs: importTimeoutMs });
  const texts = printed.toString("utf8").split("\0");
  const lines = texts.flatMap((text) => parseMessage(text, () => false)?.lines ?? []);
  const keyOf = ({ folder, line }: { readonly folder: string; readonly line: string }) => `${folder}\0${line}`;
  const known = new Set(lines.map(keyOf));
  return records.filter((record) => !gaps.includes(record.folder) || !known.has(keyOf(record)));
}
