import { randomUUID } from "node:crypto";
import type { ExistingPath } from "../../core/document-path.ts";
import { type Rev, revisionOf } from "../../core/revision.ts";
import type { Trail, TrailPage, TrailRecord } from "../../core/trail.ts";
import type { DocumentChange } from "../root-history.ts";
import { blobId } from "./blob-id.ts";
import { blobCommand, commitCommand, type FileChange } from "./import-stream.ts";
import { type KeptLine, outsideAuthor, parseMessage, type Sighting, toMessage } from "./message.ts";
import { orderRecords, type RecordGroup } from "./order-records.ts";
import { maxDepth, type RecordedState } from "./recorded-state.ts";
import type { Repository } from "./repository.ts";
import type { Git } from "./run-git.ts";
import { subjectOf } from "./subject.ts";

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
/** So many commits in one run, and the next need not look past it for where the recorder stood. */
const longRun = 50;

/**
 * One run of the recorder, with its lock held: everything since the last one becomes commits, written by one process
 * that moves nothing before all of it is on disk. Killed at any moment, the next run begins where this one did.
 */
export async function recordRun(before: RecordedState, context: RunContext): Promise<Run> {
  const { trail, git, repository } = context;
  const page = await trail.records(before.positions);
  const fresh = await withoutKnown(page, before, git);
  const found = survey(trail, before);
  // Whatever has a record by now was not written by somebody else, and is left to the next run.
  const later = await trail.records({ ...before.positions, ...page.positions });
  const isLater = new Set(later.records.map(({ path }) => path));
  const more = later.records.length > 0;
  const writer = createWriter(before, { ...context, found, isLater, page: { ...page, records: fresh } });
  const first = await writer.next();
  if (first.done) return { state: keepStamps(before, found), operations: 0, more };
  const branch = repository.runBranch(randomUUID());
  async function* stream() {
    yield Buffer.from("feature done\n");
    for (let command = first; !command.done; command = await writer.next()) yield command.value.bytes(branch.name);
    yield Buffer.from("done\n");
  }
  await git.run(["fast-import", "--quiet", "--done", "--date-format=raw-permissive"], {
    input: stream(),
    timeoutMs: importTimeoutMs,
  });
  const tip = branch.tip();
  if (tip === undefined) throw new Error("git fast-import made no commit");
  await repository.moveTip(tip);
  branch.remove();
  const { state, operations } = writer.result();
  return { state: keepStamps({ ...state, tip }, found), operations, more };
}
