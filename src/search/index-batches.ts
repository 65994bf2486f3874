import { setImmediate } from "node:timers/promises";
import type { Outdated } from "./find-changes.ts";
import type { IndexedDocument } from "./index/index-change.ts";

export interface IndexBatch {
  readonly put: readonly IndexedDocument[];
  readonly remove: readonly string[];
  readonly seen: ReadonlyMap<string, number | undefined>;
}

/** Worth the while of a transaction, and soon enough visible to who searches meanwhile. */
const batchMs = 400;
const batchCharacters = 4 * 1024 * 1024;
const batchDocuments = 4096;
/** How long other work of the process may have to wait. */
const sliceMs = 12;

/** Reads and weighs outdated documents, some at a time, and lets others work in between. */
export async function* indexBatches(
  outdated: Outdated,
  /** Undefined where there is no such document any more. */
  read: (path: string) => Promise<IndexedDocument | undefined>,
  now: () => number,
): AsyncGenerator<IndexBatch> {
  let batch = createBatch(now());
  let slice = now();
  for (const [path, seen] of outdated) {
    batch.add(path, seen, await read(path));
    if (batch.isFull(now())) {
      yield batch;
      batch = createBatch(now());
    }
    if (now() - slice >= sliceMs) {
      await setImmediate();
      slice = now();
    }
  }
  if (batch.seen.size > 0) yield batch;
}

function createBatch(begun: number) {
  const put: IndexedDocument[] = [];
  const remove: string[] = [];
  const seen = new Map<string, number | undefined>();
  let characters = 0;
  return {
    put,
    remove,
    seen,
    add(path: string, stamp: number | undefined, document: IndexedDocument | undefined): void {
      seen.set(path, stamp);
      if (document) put.push(document);
      else if (stamp !== undefined) remove.push(path);
      for (const { text } of document?.units ?? []) characters += text.length;
    },
    isFull: (now: number) => seen.size >= batchDocuments || characters >= batchCharacters || now - begun >= batchMs,
  };
}
