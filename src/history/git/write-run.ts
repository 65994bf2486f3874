import type { ExistingPath } from "../../core/document-path.ts";
import { type Rev, revisionOf } from "../../core/revision.ts";
import type { TrailPositions, TrailRecord } from "../../core/trail.ts";
import type { DocumentChange } from "../root-history.ts";
import { blobId } from "./blob-id.ts";
import { createDocumentBlobs } from "./document-blobs.ts";
import type { FoundDocument } from "./find-documents.ts";
import { blobCommand, commitCommand, type FileChange } from "./import-stream.ts";
import { type KeptLine, outsideAuthor, type RunEnd, type Sighting, toMessage } from "./message.ts";
import { orderRecords } from "./order-records.ts";
import { maxDepth, type RecordedState } from "./recorded-state.ts";
import type { RunContext } from "./recorder.ts";
import { subjectOf } from "./subject.ts";

export interface RunPlan extends RunContext {
  readonly before: RecordedState;
  readonly records: readonly TrailRecord[];
  readonly positions: TrailPositions;
  readonly found: ReadonlyMap<string, FoundDocument>;
  /** Documents of which newer records exist than those of this run. */
  readonly isLater: ReadonlySet<string>;
  readonly branch: string;
}

export interface RunResult {
  readonly state: RecordedState;
  readonly operations: number;
}

interface Draft {
  readonly author: string;
  readonly time: string;
  readonly reason?: string | undefined;
  readonly sighting?: Sighting;
  readonly changes: readonly DocumentChange[];
  readonly files: readonly FileChange[];
  readonly lines: readonly KeptLine[];
}

/** So many commits in one run, and the next need not look past it for where the recorder stood. */
const longRun = 50;

/** The commands for `git fast-import` that take a run into history; none where there is nothing new. */
export async function* writeRun(plan: RunPlan): AsyncGenerator<Buffer, RunResult> {
  const { trail, before, found, isLater, now } = plan;
  const documents = createDocumentBlobs(before.blobs);
  const { blobs } = documents;
  const revs = new Map(before.revs);
  const blobOfRev = new Map([...revs].map(([blob, rev]) => [rev, blob]));
  const marks = new Map<string, number>();
  const passedOver: KeptLine[] = [];
  let held: Draft | undefined;
  let [commits, operations] = [0, 0];

  /** The last commit of the run says where it ended, so each is held back until the next one is known. */
  function* commit(draft: Draft): Generator<Buffer> {
    if (held) yield write(held);
    held = { ...draft, lines: [...passedOver.splice(0), ...draft.lines] };
    if (draft.changes.length > 0) operations += 1;
  }

  function write(draft: Draft, end?: RunEnd): Buffer {
    commits += 1;
    const changes = draft.sighting ? draft.changes : [];
    const subject = draft.sighting?.kind === "import" ? "import what was there" : subjectOf(draft.changes);
    return commitCommand({
      branch: plan.branch,
      author: draft.author,
      time: draft.time,
      message: toMessage({ ...draft, subject, changes, end }),
      parent: commits === 1 ? before.tip : undefined,
      files: draft.files,
    });
  }

  function* put(path: string, bytes: Uint8Array, rev: Rev): Generator<Buffer, FileChange> {
    const blob = learn(bytes, rev);
    let mark = marks.get(blob);
    if (mark === undefined) {
      mark = marks.size + 1;
      marks.set(blob, mark);
      yield blobCommand(mark, bytes);
    }
    documents.set(path, blob);
    return { path, mark };
  }

  function learn(bytes: Uint8Array, rev: Rev): string {
    const blob = blobId(bytes);
    revs.set(blob, rev);
    blobOfRev.set(rev, blob);
    return blob;
  }

  function remove(path: string): FileChange {
    documents.delete(path);
    return { path, mark: undefined };
  }

  /** The revision that history has of a document. */
  async function recordedRev(path: string): Promise<Rev | undefined> {
    const blob = blobs.get(path);
    if (blob === undefined) return undefined;
    const known = revs.get(blob);
    if (known !== undefined) return known;
    const rev = revisionOf(await plan.git.run(["cat-file", "blob", blob]));
    revs.set(blob, rev);
    return rev;
  }

  /** What was there before anything was written down: as the first records found it, or as it is. */
  async function* importAll(): AsyncGenerator<Buffer> {
    const changes: DocumentChange[] = [];
    const files: FileChange[] = [];
    const first = new Map<string, TrailRecord>();
    for (const record of plan.records) if (!first.has(record.path)) first.set(record.path, record);
    for (const path of new Set([...found.keys(), ...first.keys()]) as Set<ExistingPath>) {
      const was = first.get(path)?.was;
      const bytes = first.has(path) ? was && trail.bytesOf(path, was) : await bytesAsFound(path);
      if (!bytes || documents.inTheWay(path).length > 0) continue;
      const rev = revisionOf(bytes);
      files.push(yield* put(path, bytes, rev));
      changes.push({ path, kind: "import", rev, was: undefined });
    }
    if (files.length === 0) return;
    const times = plan.records.map(({ time }) => Date.parse(time)).filter(Number.isFinite);
    const time = new Date(times.reduce((one, other) => Math.min(one, other), now())).toISOString();
    yield* commit({ author: outsideAuthor, time, sighting: { kind: "import", time }, changes, files, lines: [] });
  }

  /** Undefined where it is not what was found any more, or a record tells who wrote it. */
  async function bytesAsFound(path: ExistingPath): Promise<Uint8Array | undefined> {
    const look = isLater.has(path) ? undefined : trail.look(path);
    return look?.kind === "document" && blobId(look.bytes) === found.get(path)?.blob ? look.bytes : undefined;
  }

  async function* recordAll(): AsyncGenerator<Buffer> {
    const repeated = findRepeated(plan.records);
    for (const { records } of orderRecords(plan.records)) {
      const taken = records.map((record) => ({ record, bytes: repeated.has(record) ? undefined : bytesFor(record) }));
      const lines = taken.map(({ record, bytes }) => toLine(record, bytes === undefined));
      const effective = taken.flatMap(({ record, bytes }) => (bytes === undefined ? [] : [{ record, bytes }]));
      // What a record found was there, also where nothing is left of what it wrote.
      const telling = taken.filter(({ record, bytes }) => bytes !== undefined || record.was !== undefined);
      yield* noticeBefore(telling.map(({ record }) => record).filter((record) => !repeated.has(record)));
      const [main] = effective;
      if (!main) {
        passedOver.push(...lines);
        continue;
      }
      const files: FileChange[] = [];
      for (const { record, bytes } of effective) {
        const { path, rev } = record;
        files.push(bytes === "gone" || rev === undefined ? remove(path) : yield* put(path, bytes as Uint8Array, rev));
      }
      const { author, time, reason } = main.record;
      yield* commit({ author, time, reason, changes: effective.map(({ record }) => toChange(record)), files, lines });
    }
  }

  /** Undefined for a record that never took effect, or whose bytes somebody overwrote before they could be kept. */
  function bytesFor({ isVoid, path, rev }: TrailRecord): Uint8Array | "gone" | undefined {
    if (isVoid) return undefined;
    return rev === undefined ? "gone" : trail.bytesOf(path, rev);
  }

  /** Where a record did not find what history has, somebody else was there in between. */
  async function* noticeBefore(records: readonly TrailRecord[]): AsyncGenerator<Buffer> {
    const changes: DocumentChange[] = [];
    const files: FileChange[] = [];
    const own = new Set<string>(records.map(({ path }) => path));
    const takeOut = async (path: ExistingPath) => {
      changes.push({ path, kind: "outside", rev: undefined, was: await recordedRev(path) });
      files.push(remove(path));
    };
    for (const { path, was, rev } of records) {
      const recorded = blobs.get(path);
      const inTheWay = rev === undefined ? [] : documents.inTheWay(path).filter((one) => !own.has(one));
      for (const one of inTheWay) await takeOut(one as ExistingPath);
      if (was === undefined) {
        if (recorded !== undefined) await takeOut(path);
      } else if (recorded === undefined || blobOfRev.get(was) !== recorded) {
        const bytes = trail.bytesOf(path, was);
        if (!bytes || learn(bytes, was) === recorded) continue;
        changes.push({ path, kind: "outside", rev: was, was: await recordedRev(path) });
        files.push(yield* put(path, bytes, was));
      }
    }
    const time = records[0]?.time ?? "";
    if (files.length > 0) yield* sight({ kind: "outside", time }, changes, files);
  }

  function sight(sighting: Sighting, changes: readonly DocumentChange[], files: readonly FileChange[]) {
    return commit({ author: outsideAuthor, time: sighting.time, sighting, changes, files, lines: [] });
  }

  /** What differs from history without a record, documents that are gone among it. */
  async function* noticeAll(): AsyncGenerator<Buffer> {
    const changes: DocumentChange[] = [];
    const files: FileChange[] = [];
    for (const path of [...blobs.keys()] as ExistingPath[]) {
      if (found.has(path) || isLater.has(path) || trail.look(path).kind !== "gone") continue;
      changes.push({ path, kind: "outside", rev: undefined, was: await recordedRev(path) });
      files.push(remove(path));
    }
    for (const [path, { blob }] of found as ReadonlyMap<ExistingPath, FoundDocument>) {
      if (blobs.get(path) === blob) continue;
      const bytes = await bytesAsFound(path);
      // What is in its way changed while we looked: the next run sees both as they are.
      if (!bytes || documents.inTheWay(path).length > 0) continue;
      const rev = revisionOf(bytes);
      changes.push({ path, kind: "outside", rev, was: await recordedRev(path) });
      files.push(yield* put(path, bytes, rev));
    }
    const time = new Date(now()).toISOString();
    if (files.length > 0) yield* sight({ kind: "outside", time }, withMoves(changes), files);
  }

  if (before.tip === undefined) yield* importAll();
  yield* recordAll();
  yield* noticeAll();
  const time = new Date(now()).toISOString();
  const hasMoved = Object.keys(plan.positions).length > 0;
  if (!held && (passedOver.length > 0 || hasMoved)) yield* sight({ kind: "outside", time }, [], []);
  if (!held) return { state: { ...before, revs: revsOf(blobs, revs), stamps: stampsOf(found, blobs) }, operations };
  held = { ...held, lines: [...held.lines, ...passedOver] };
  const isShort = before.tip !== undefined && commits < longRun && before.depth < maxDepth;
  const positions = { ...before.positions, ...plan.positions };
  const end = isShort ? { positions: plan.positions, depth: before.depth + 1 } : { positions, depth: 0 };
  yield write(held, end);
  const state = {
    tip: undefined,
    positions,
    depth: end.depth,
    blobs,
    revs: revsOf(blobs, revs),
    stamps: stampsOf(found, blobs),
  };
  return { state, operations };
}

function toChange({ path, kind, rev, was, other }: TrailRecord): DocumentChange {
  const from = kind === "move" && rev !== undefined ? other : undefined;
  return { path, kind, rev, was, ...(from === undefined ? {} : { from }) };
}

/** A document that is gone and one that came with the same text are one that was renamed. */
function withMoves(changes: readonly DocumentChange[]): DocumentChange[] {
  const gone = changes.filter(({ rev }) => rev === undefined);
  return changes.map((change) => {
    if (change.rev === undefined || change.was !== undefined) return change;
    const at = gone.findIndex(({ was }) => was === change.rev);
    const [source] = at < 0 ? [] : gone.splice(at, 1);
    return source ? { ...change, from: source.path } : change;
  });
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
    if (
      later &&
      record.rev !== undefined &&
      later.rev === record.rev &&
      later.was === record.was &&
      later.was !== record.rev
    ) {
      repeated.add(record);
    }
    next.set(record.path, record);
  }
  return repeated;
}

/** Those of what is there; the rest would only grow. */
function revsOf(blobs: ReadonlyMap<string, string>, revs: ReadonlyMap<string, Rev>): Map<string, Rev> {
  return new Map(
    [...blobs.values()].flatMap((blob) => {
      const rev = revs.get(blob);
      return rev === undefined ? [] : [[blob, rev]];
    }),
  );
}

function stampsOf(found: ReadonlyMap<string, FoundDocument>, blobs: ReadonlyMap<string, string>): Map<string, number> {
  const same = [...found].filter(([path, { blob, stamp }]) => stamp !== 0 && blobs.get(path) === blob);
  return new Map(same.map(([path, { stamp }]) => [path, stamp]));
}
