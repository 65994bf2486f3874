import { setImmediate } from "node:timers/promises";
import type { SourceDocument } from "../kernel/source.ts";
import type { InvertedDocuments } from "./index/index-change.ts";
import { createBatch, type IndexBatch, type OutdatedDocument } from "./index-batches.ts";

/** A document as it was read. */
export type ReadDocument = OutdatedDocument<SourceDocument>;

/** What a thread answers: that it has begun with some documents, a batch of them, or that this was all. */
export type ThreadReply =
  | { readonly kind: "taken"; readonly size: number }
  | { readonly kind: "batch"; readonly batch: IndexBatch<InvertedDocuments> }
  | { readonly kind: "done" };

/** Weighs and inverts documents beside the process's own work. */
export interface IndexThread {
  give(documents: readonly ReadDocument[], size: number): void;
  /** That was all. */
  finish(): void;
  /** What it has answered and nobody has heard yet. */
  heard(): ThreadReply | undefined;
  /** Waits for its next answer. Throws a ThreadFailure where none will come. */
  next(): Promise<ThreadReply>;
  end(): Promise<void>;
}

/** The thread is gone, or never came. */
export class ThreadFailure extends Error {}

/** In characters: what is given at once, and how much may wait for the thread while this one writes. */
const sliceSize = 1 << 16;
const mostWaiting = 1 << 22;
/** A document without a text is something, too. */
const leastSize = 256;

/**
 * Reads while the thread weighs and inverts what was read before, and its caller writes what came of it. What is too
 * much for the thread is weighed here, so both are busy to the end.
 */
export async function* threadedBatches(
  documents: AsyncIterable<ReadDocument>,
  thread: IndexThread,
  describe: (read: ReadDocument) => OutdatedDocument,
): AsyncGenerator<IndexBatch> {
  let waiting = 0;
  let own = createBatch();
  try {
    for await (const { slice, size } of slicesOf(documents)) {
      if (waiting > mostWaiting) {
        for (const read of slice) own.add(describe(read));
      } else {
        thread.give(slice, size);
        waiting += size;
      }
      // Its answers come in between, and so does other work of the process.
      await setImmediate();
      for (let reply = thread.heard(); reply; reply = thread.heard()) {
        if (reply.kind === "taken") waiting -= reply.size;
        if (reply.kind === "batch") yield reply.batch;
      }
      if (!own.isFull()) continue;
      yield own;
      own = createBatch();
    }
    thread.finish();
    if (own.seen.size > 0) yield own;
    for (let reply = await thread.next(); reply.kind !== "done"; reply = await thread.next()) {
      if (reply.kind === "batch") yield reply.batch;
    }
  } finally {
    await thread.end();
  }
}

async function* slicesOf(documents: AsyncIterable<ReadDocument>) {
  let slice: ReadDocument[] = [];
  let size = 0;
  for await (const read of documents) {
    slice.push(read);
    size += leastSize + (read.document?.content.length ?? 0);
    if (size < sliceSize) continue;
    yield { slice, size };
    slice = [];
    size = 0;
  }
  if (slice.length > 0) yield { slice, size };
}
