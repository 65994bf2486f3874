import { setImmediate } from "node:timers/promises";
import type { IndexedDocument } from "./index/index-change.ts";

export interface IndexBatch {
  readonly put: readonly IndexedDocument[];
  readonly remove: readonly string[];
  readonly seen: ReadonlyMap<string, number | undefined>;
}

/** One that the index does not have as it is. */
export interface OutdatedDocument<Document = IndexedDocument> {
  readonly path: string;
  /** The stamp that the index has; undefined where it does not know it. */
  readonly seen: number | undefined;
  /** Undefined where there is no such document any more. */
  readonly document: Document | undefined;
}

/**
 * A batch is a transaction. The first is soon visible to a search meanwhile; the longer it all takes, the longer the
 * next ones, so that full chunks are written.
 */
const leastBatchMs = 400;
const mostBatchMs = 4000;
/** What is held in memory until it is written: about a chunk, so that other processes wait only a moment. */
const batchTerms = 256 * 1024;
const batchDocuments = 16 * 1024;
/** How long other work of the process may have to wait. */
const sliceMs = 12;

/** Puts outdated documents together as they come, and lets others work in between. */
export async function* indexBatches(
  outdated: AsyncIterable<OutdatedDocument>,
  now: () => number,
): AsyncGenerator<IndexBatch> {
  const begun = now();
  let batch = createBatch(begun + leastBatchMs);
  let slice = begun;
  for await (const document of outdated) {
    batch.add(document);
    const time = now();
    if (batch.isFull(time)) {
      yield batch;
      const resumed = now();
      batch = createBatch(resumed + Math.min(Math.max(leastBatchMs, resumed - begun), mostBatchMs));
    }
    if (time - slice >= sliceMs) {
      await setImmediate();
      slice = now();
    }
  }
  if (batch.seen.size > 0) yield batch;
}

/** Full at that time, or where it is large. */
function createBatch(until: number) {
  const put: IndexedDocument[] = [];
  const remove: string[] = [];
  const seen = new Map<string, number | undefined>();
  let terms = 0;
  return {
    put,
    remove,
    seen,
    add({ path, seen: stamp, document }: OutdatedDocument): void {
      seen.set(path, stamp);
      if (document) put.push(document);
      else if (stamp !== undefined) remove.push(path);
      for (const unit of document?.units ?? []) terms += unit.terms.size;
    },
    isFull: (now: number) => seen.size >= batchDocuments || terms >= batchTerms || now >= until,
  };
}
