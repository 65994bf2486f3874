import { randomUUID } from "node:crypto";
import type { Trail, TrailPage, TrailRecord } from "../../kernel/trail.ts";
import type { Pace } from "../pace.ts";
import { feedImport } from "./feed-import.ts";
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
  readonly pace: Pace;
  /** So many documents of a root that history has never seen go with one run. */
  readonly importLimit?: number | undefined;
  /** Told of a write of which nothing is left: it was cut off, or its file was gone before this. */
  readonly onLost: (record: TrailRecord) => void;
}

export interface Run extends RunResult {
  /** Whether more was written in the meantime. */
  readonly more: boolean;
}

const timeoutMs = 30 * 60_000;

/** One run of the recorder, with its lock held: everything since the last one becomes commits. */
export async function recordRun(before: RecordedState, context: RunContext): Promise<Run> {
  const { trail, git, repository, pace } = context;
  const page = await trail.records(before.positions);
  const records = await withoutKnown(page, before.tip, git);
  const written = new Set<string>(records.map(({ path }) => path));
  const found = await findDocuments(trail, before.documents, { written, pace });
  // Whatever has a record by now was not written by somebody else, and is left to the next run.
  const later = await trail.records({ ...before.positions, ...page.positions });
  const isLater = new Set<string>(later.records.map(({ path }) => path));
  const branch = repository.runBranch(randomUUID());
  const plan = { ...context, before, records, positions: page.positions, found, isLater, branch: branch.name };
  const result = await feedImport(writeRun(plan), branch, context);
  return { ...result, more: later.records.length > 0 };
}

/** A journal that a power cut shortened is read again from its beginning: what history has of it is passed over. */
async function withoutKnown(
  { records, gaps }: TrailPage,
  tip: string | undefined,
  git: Git,
): Promise<readonly TrailRecord[]> {
  if (tip === undefined || gaps.length === 0) return records;
  const isKnown = await knownLines(tip, git);
  return records.filter((record) => !gaps.includes(record.folder) || !isKnown(record));
}

/** Which lines of journals a history has. */
export async function knownLines(
  tip: string,
  git: Git,
): Promise<(line: { readonly folder: string; readonly line: string }) => boolean> {
  const printed = await git.run(["log", "-z", "--format=%B", tip], { timeoutMs });
  const texts = printed.toString("utf8").split("\0");
  const keyOf = ({ folder, line }: { readonly folder: string; readonly line: string }) => `${folder}\0${line}`;
  const known = new Set(texts.flatMap((text) => parseMessage(text, () => false)?.lines ?? []).map(keyOf));
  return (line) => known.has(keyOf(line));
}
