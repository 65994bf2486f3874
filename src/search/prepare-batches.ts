import type { Source, SourceDocument } from "../core/source.ts";
import type { Outdated } from "./find-changes.ts";
import type { IndexedDocument } from "./index/index-change.ts";
import { createBatch, type IndexBatch, indexBatches, type OutdatedDocument } from "./index-batches.ts";
import { type IndexThread, type ReadDocument, ThreadFailure, threadedBatches } from "./threaded-batches.ts";
import { unsettledStamp } from "./unsettled-stamp.ts";

export interface PrepareOptions {
  readonly source: Pick<Source, "read" | "readsAtOnce">;
  /** Weighs a document, and says whether the guard finds something in it. Undefined for one that is left out. */
  readonly describe: (path: string, document: SourceDocument) => IndexedDocument | undefined;
  /** A thread that does the same, for many documents. */
  readonly startThread?: () => IndexThread;
  /** How many that are; by default any. */
  readonly manyDocuments?: number;
  /** Nobody wants more of it. */
  readonly isOver: () => boolean;
  readonly now: () => number;
}

/** So few are done before anybody could want to do something else. */
const fewDocuments = 4;

/** Makes batches of outdated documents: in a thread where they are many, and here what that one leaves. */
export async function* prepareBatches(outdated: Outdated, options: PrepareOptions): AsyncGenerator<IndexBatch> {
  const left = new Map(outdated);
  const describe = ({ path, seen, document }: ReadDocument): OutdatedDocument => ({
    path,
    seen,
    document: document && options.describe(path, document),
  });
  if (outdated.size <= fewDocuments) {
    const batch = await oneBatch(outdated, describe, options);
    if (batch) yield batch;
    return;
  }
  try {
    if (options.startThread && outdated.size >= (options.manyDocuments ?? 0)) {
      for await (const batch of threadedBatches(read(outdated, options), options.startThread(), describe)) {
        yield batch;
        for (const path of batch.seen.keys()) left.delete(path);
      }
      return;
    }
  } catch (error) {
    if (!(error instanceof ThreadFailure)) throw error;
  }
  yield* indexBatches(described(read(left, options), describe), options.now);
}

async function oneBatch(
  outdated: Outdated,
  describe: (read: ReadDocument) => OutdatedDocument,
  options: PrepareOptions,
): Promise<IndexBatch | undefined> {
  const batch = createBatch();
  for (const [path, seen] of outdated) {
    if (options.isOver()) return undefined;
    batch.add(describe(await readOne(path, seen, options)));
  }
  return batch.seen.size > 0 ? batch : undefined;
}

async function* read(
  outdated: Iterable<[string, number | undefined]>,
  options: PrepareOptions,
): AsyncGenerator<ReadDocument> {
  const { readsAtOnce = 1 } = options.source;
  const ahead: Promise<ReadDocument>[] = [];
  for (const [path, seen] of outdated) {
    if (options.isOver()) break;
    ahead.push(readOne(path, seen, options));
    if (ahead.length < readsAtOnce) continue;
    yield* await Promise.all(ahead);
    ahead.length = 0;
  }
  yield* await Promise.all(ahead);
}

async function readOne(path: string, seen: number | undefined, { source }: PrepareOptions): Promise<ReadDocument> {
  const document = await source.read(path);
  return { path, seen, document: document?.stamp === 0 ? { ...document, stamp: unsettledStamp() } : document };
}

async function* described(
  documents: AsyncIterable<ReadDocument>,
  describe: (read: ReadDocument) => OutdatedDocument,
): AsyncGenerator<OutdatedDocument> {
  for await (const read of documents) yield describe(read);
}
