import { randomUUID } from "node:crypto";
import { type ExistingPath, isExistingPath } from "../../kernel/document-path.ts";
import { revisionOf } from "../../kernel/revision.ts";
import type { Surveyed } from "../../kernel/source.ts";
import type { TrailPositions } from "../../kernel/trail.ts";
import { feedImport } from "./feed-import.ts";
import type { RecordedDocuments } from "./recorded-documents.ts";
import type { RecordedState } from "./recorded-state.ts";
import type { RunContext } from "./recorder.ts";
import { createRunWriter, type RunResult } from "./run-writer.ts";
import { beginningOf, importedAtOnce } from "./write-run.ts";

/** So many documents are imported by one run; more of them by several. */
const defaultLimit = 10_000;
/** What is held of documents that were read and wait for the look at the journals. */
const batchBytes = 4 * 1024 * 1024;

interface Reading {
  readonly survey: Iterator<Surveyed>;
  readonly time: string;
  /** Documents that have records: those tell what was there before. They are left to the run that takes the records. */
  readonly written: Set<string>;
  positions: TrailPositions;
  isDone: boolean;
}

interface ReadDocument {
  readonly path: ExistingPath;
  readonly bytes: Uint8Array;
  readonly stamp: number;
}

/**
 * Takes over a root with many documents that history has never seen: in several runs, each of which stays whatever
 * becomes of the next, and with no more of it in memory than a part of one. What has records, and where the recorder
 * stands in the journals, is left to the run after them, which ends the import. None where there are few documents.
 */
export async function* importRuns(state: RecordedState, context: RunContext): AsyncGenerator<RunResult> {
  const { trail, repository, now, importLimit = defaultLimit } = context;
  if (!state.isImporting || !(await hasMany(state.documents, importLimit, context))) return;
  const { records, positions } = await trail.records({});
  const written = new Set<string>(records.map(({ path }) => path));
  const survey = trail.survey()[Symbol.iterator]();
  const reading = { survey, time: beginningOf(records, now()), written, positions, isDone: false };
  try {
    for (let before = state; !reading.isDone; ) {
      const branch = repository.runBranch(randomUUID());
      const result = await feedImport(
        writeImport(before, reading, { ...context, branch: branch.name }),
        branch,
        context,
      );
      before = result.state;
      yield result;
    }
  } finally {
    survey.return?.();
  }
}

async function hasMany(documents: RecordedDocuments, limit: number, { trail, pace }: RunContext): Promise<boolean> {
  let count = 0;
  for (const { path } of trail.survey()) {
    if (documents.stampAt(path) === undefined) count += 1;
    if (count > limit) return true;
    await pace.turn();
  }
  return false;
}

async function* writeImport(
  before: RecordedState,
  reading: Reading,
  context: RunContext & { readonly branch: string },
): AsyncGenerator<Buffer, RunResult> {
  const { trail, pace, importLimit = defaultLimit } = context;
  const writer = createRunWriter({ ...context, before });
  const { documents } = writer;
  for (let left = importLimit; left > 0 && !reading.isDone; ) {
    const batch = await readBatch(Math.min(left, importedAtOnce), documents, reading, context);
    left -= batch.length;
    // Whatever has a record by now was not written by somebody else.
    const later = await trail.records(reading.positions);
    reading.positions = { ...reading.positions, ...later.positions };
    for (const { path } of later.records) reading.written.add(path);
    const seen = writer.sightings("import");
    for (const { path, bytes, stamp } of batch) {
      await pace.turn();
      // What is in its way changed while we looked: the run after these sees both as they are.
      if (reading.written.has(path) || documents.inTheWay(path).length > 0) continue;
      yield* seen.put(path, bytes, revisionOf(bytes));
      documents.setStamp(path, stamp);
    }
    yield* seen.commit(reading.time);
  }
  return yield* writer.finish({}, true);
}

async function readBatch(
  most: number,
  documents: RecordedDocuments,
  reading: Reading,
  { trail, pace }: RunContext,
): Promise<readonly ReadDocument[]> {
  const batch: ReadDocument[] = [];
  for (let bytes = 0; batch.length < most && bytes < batchBytes; ) {
    await pace.turn();
    const { done, value } = reading.survey.next();
    if (done) {
      reading.isDone = true;
      break;
    }
    const { path } = value;
    if (!isExistingPath(path) || documents.stampAt(path) !== undefined || reading.written.has(path)) continue;
    const look = trail.look(path);
    if (look.kind !== "document") continue;
    batch.push({ path, bytes: look.bytes, stamp: look.stamp });
    bytes += look.bytes.length;
  }
  return batch;
}
