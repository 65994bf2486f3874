import type { Source, SourceDocument } from "../core/source.ts";
import type { Outdated } from "./find-changes.ts";
import type { IndexedDocument } from "./index/index-change.ts";
import { type IndexBatch, indexBatches, type OutdatedDocument } from "./index-batches.ts";
import { type IndexThread, type ReadDocument, ThreadFailure, threadedBatches } from "./threaded-batches.ts";
import { unsettledStamp } from "./unsettled-stamp.ts";

export interface PrepareOptions {
  readonly source: Pick<Source, "read">;
  /** Weighs a document, and says whether the guard finds something in it. Undefined for one that is left out. */
  readonly describe: (path: string, document: SourceDocument) => IndexedDocument | undefined;
  /** A thread that does the same for so many documents; undefined where they are done sooner here. */
  readonly startThread?: (documents: number) => IndexThread | undefined;
  /** Nobody wants more of it. */
  readonly isOver: () => boolean;
  readonly now: () => number;
}

/** Makes batches of outdated documents: in a thread where they are many, and here what that one leaves. */
export async function* prepareBatches(outdated: Outdated, options: PrepareOptions): AsyncGenerator<IndexBatch> {
  let done = 0;
  try {
    const thread = options.startThread?.(outdated.size);
    if (thread) {
      for await (const batch of threadedBatches(read(outdated, options), thread)) {
        // Written before it is asked for more.
        yield batch;
        done += batch.seen.size;
      }
      return;
    }
  } catch (error) {
    if (!(error instanceof ThreadFailure)) throw error;
  }
  // In the order of the documents, so those that are left are the last ones.
  const left = done === 0 ? outdated : [...outdated].slice(done);
  yield* indexBatches(described(read(left, options), options), options.now);
}

async function* read(
  outdated: Iterable<[string, number | undefined]>,
  { source, isOver }: PrepareOptions,
): AsyncGenerator<ReadDocument> {
  for (const [path, seen] of outdated) {
    if (isOver()) return;
    const document = await source.read(path);
    yield { path, seen, document: document?.stamp === 0 ? { ...document, stamp: unsettledStamp() } : document };
  }
}

async function* described(
  documents: AsyncIterable<ReadDocument>,
  { describe }: PrepareOptions,
): AsyncGenerator<OutdatedDocument> {
  for await (const { path, seen, document } of documents) {
    yield { path, seen, document: document && describe(path, document) };
  }
}
