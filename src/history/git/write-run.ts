import type { ExistingPath } from "../../kernel/document-path.ts";
import { revisionOf } from "../../kernel/revision.ts";
import type { DocumentChange } from "../../kernel/root-history.ts";
import type { Trail, TrailPositions, TrailRecord } from "../../kernel/trail.ts";
import type { Pace } from "../pace.ts";
import { blobId } from "./blob-id.ts";
import type { FoundDocument } from "./find-documents.ts";
import type { FileChange } from "./import-stream.ts";
import type { KeptLine } from "./message.ts";
import { orderRecords } from "./order-records.ts";
import type { RecordedState } from "./recorded-state.ts";
import type { Git } from "./run-git.ts";
import { createRunWriter, type RunResult, type RunWriter } from "./run-writer.ts";

export interface RunPlan {
  readonly trail: Trail;
  readonly git: Git;
  readonly now: () => number;
  readonly before: RecordedState;
  readonly records: readonly TrailRecord[];
  readonly positions: TrailPositions;
  readonly found: ReadonlyMap<string, FoundDocument>;
  /** Documents of which newer records exist than those of this run. */
  readonly isLater: ReadonlySet<string>;
  readonly branch: string;
  readonly pace: Pace;
  /** Told of a write of which nothing is left: it was cut off, or its file was gone before this. */
  readonly onLost: (record: TrailRecord) => void;
}

/** The commands for `git fast-import` that take a run into history; none where there is nothing new. */
export async function* writeRun(plan: RunPlan): AsyncGenerator<Buffer, RunResult> {
  const writer = createRunWriter(plan);
  if (plan.before.isImporting) yield* importAll(plan, writer);
  yield* recordAll(plan, writer);
  yield* noticeAll(plan, writer);
  for (const [path, { blob, stamp }] of plan.found) {
    if (writer.documents.blobAt(path) === blob) writer.documents.setStamp(path, stamp);
  }
  return yield* writer.finish(plan.positions, false);
}

/** What was there before anything was written down: as the first records found it, or as it is. */
async function* importAll(plan: RunPlan, writer: RunWriter): AsyncGenerator<Buffer> {
  const { trail, records, found, pace } = plan;
  const { documents } = writer;
  const first = new Map<string, TrailRecord>();
  for (const record of records) if (!first.has(record.path)) first.set(record.path, record);
  const time = beginningOf(records, plan.now());
  const paths = [...new Set([...found.keys(), ...first.keys()])] as ExistingPath[];
  for (let from = 0; from < paths.length; from += importedAtOnce) {
    const seen = writer.sightings("import");
    for (const path of paths.slice(from, from + importedAtOnce)) {
      await pace.turn();
      // An earlier run had it; what became of it since, others tell.
      if (documents.blobAt(path) !== undefined) continue;
      const was = first.get(path)?.was;
      const bytes = first.has(path) ? was && trail.bytesOf(path, was) : bytesAsFound(path, plan);
      if (bytes && documents.inTheWay(path).length === 0) yield* seen.put(path, bytes, revisionOf(bytes));
    }
    yield* seen.commit(time);
  }
}

/** When what was there was there: before all that was written down. */
export function beginningOf(records: readonly TrailRecord[], now: number): string {
  const times = records.map(({ time }) => Date.parse(time)).filter(Number.isFinite);
  return new Date(times.reduce((one, other) => Math.min(one, other), now)).toISOString();
}

/** A log of one document reads the whole message of each commit that has it. */
export const importedAtOnce = 1000;

/** Undefined where it is not what was found any more, or a record tells who wrote it. */
function bytesAsFound(path: ExistingPath, { isLater, trail, found }: RunPlan): Uint8Array | undefined {
  const look = isLater.has(path) ? undefined : trail.look(path);
  return look?.kind === "document" && blobId(look.bytes) === found.get(path)?.blob ? look.bytes : undefined;
}

/** A record, and what it left; undefined where that never took effect, or nobody could keep it. */
interface Taken {
  readonly record: TrailRecord;
  readonly bytes: Uint8Array | "gone" | undefined;
}

async function* recordAll(plan: RunPlan, writer: RunWriter): AsyncGenerator<Buffer> {
  const repeated = findRepeated(plan.records);
  for (const { records } of orderRecords(plan.records)) {
    await plan.pace.turn();
    const taken = records.map((record): Taken => {
      if (repeated.has(record)) return { record, bytes: undefined };
      const bytes = bytesFor(record, plan.trail);
      if (bytes === undefined && !record.isVoid) plan.onLost(record);
      return { record, bytes };
    });
    // What a record found was there, also where nothing is left of what it wrote.
    const telling = taken.filter(({ record, bytes }) => bytes !== undefined || record.was !== undefined);
    yield* noticeBefore(
      telling.map(({ record }) => record).filter((record) => !repeated.has(record)),
      plan.trail,
      writer,
    );
    yield* recordOne(taken, writer);
  }
}

async function* recordOne(taken: readonly Taken[], writer: RunWriter): AsyncGenerator<Buffer> {
  const lines = taken.map(({ record, bytes }) => toLine(record, bytes === undefined));
  const [main] = taken.filter(({ bytes }) => bytes !== undefined);
  if (!main) return writer.passOver(lines);
  const files: FileChange[] = [];
  const changes: DocumentChange[] = [];
  for (const { record, bytes } of taken) {
    if (bytes === undefined) continue;
    const { path, rev } = record;
    files.push(bytes === "gone" || rev === undefined ? writer.remove(path) : yield* writer.put(path, bytes, rev));
    changes.push(toChange(record));
  }
  const { author, time, reason } = main.record;
  yield* writer.commit({ author, time, reason, changes, files, lines });
}

function bytesFor({ isVoid, path, rev }: TrailRecord, trail: Trail): Taken["bytes"] {
  if (isVoid) return undefined;
  return rev === undefined ? "gone" : trail.bytesOf(path, rev);
}

/** Where a record did not find what history has, somebody else was there in between. */
async function* noticeBefore(records: readonly TrailRecord[], trail: Trail, writer: RunWriter): AsyncGenerator<Buffer> {
  const { documents } = writer;
  const own = new Set<string>(records.map(({ path }) => path));
  const seen = writer.sightings("outside");
  for (const record of records) {
    const { path, was, rev } = record;
    const inTheWay = rev === undefined ? [] : documents.inTheWay(path).filter((one) => !own.has(one));
    for (const one of inTheWay) await seen.takeOut(one as ExistingPath);
    const recorded = documents.blobAt(path);
    if (was === undefined && recorded !== undefined) await seen.takeOut(path);
    if (was === undefined || documents.revAt(path) === was) continue;
    const bytes = trail.bytesOf(path, was);
    if (bytes && blobId(bytes) !== recorded) yield* seen.put(path, bytes, was);
  }
  yield* seen.commit(records[0]?.time ?? "");
}

/** What differs from history without a record, documents that are gone among it. */
async function* noticeAll(plan: RunPlan, writer: RunWriter): AsyncGenerator<Buffer> {
  const { found, isLater, trail, pace } = plan;
  const { documents } = writer;
  const time = new Date(plan.now()).toISOString();
  let seen = writer.sightings("outside");
  for (const path of documents.unseen() as ExistingPath[]) {
    await pace.turn();
    if (!found.has(path) && !isLater.has(path) && trail.look(path).kind === "gone") await seen.takeOut(path);
  }
  // One that is gone and one that came may be the same, which only one commit can tell.
  const most = seen.size > 0 ? Number.POSITIVE_INFINITY : importedAtOnce;
  for (const [path, { blob }] of found as ReadonlyMap<ExistingPath, FoundDocument>) {
    await pace.turn();
    const bytes = documents.blobAt(path) === blob ? undefined : bytesAsFound(path, plan);
    // What is in its way changed while we looked: the next run sees both as they are.
    if (bytes && documents.inTheWay(path).length === 0) yield* seen.put(path, bytes, revisionOf(bytes));
    if (seen.size < most) continue;
    yield* seen.commit(time);
    seen = writer.sightings("outside");
  }
  yield* seen.commit(time);
}

function toChange({ path, kind, rev, was, other }: TrailRecord): DocumentChange {
  const from = kind === "move" && rev !== undefined ? other : undefined;
  return { path, kind, rev, was, ...(from === undefined ? {} : { from }) };
}

function toLine({ folder, line }: TrailRecord, isVoid: boolean): KeptLine {
  return { folder, line, isVoid };
}

/** A write that was cut off and then done again left two lines that say the same; the first had no effect. */
function findRepeated(records: readonly TrailRecord[]): Set<TrailRecord> {
  const repeated = new Set<TrailRecord>();
  const next = new Map<string, TrailRecord>();
  for (const record of records.toReversed()) {
    const later = next.get(record.path);
    if (later && isSameAgain(record, later)) repeated.add(record);
    next.set(record.path, record);
  }
  return repeated;
}

function isSameAgain({ rev, was }: TrailRecord, later: TrailRecord): boolean {
  return rev !== undefined && later.rev === rev && later.was === was && was !== rev;
}
