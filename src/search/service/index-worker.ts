import { on } from "node:events";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { InvertedDocuments } from "../index/index-change.ts";
import { invertDocuments } from "../index/invert-documents.ts";
import { indexBatches, type OutdatedDocument } from "../index-batches.ts";
import { loadStaticTable } from "../meaning/static-table.ts";
import { staticTableFolder } from "../meaning/static-table-folder.ts";
import { createTableMeaning, noMeaning } from "../meaning.ts";
import type { ThreadReply } from "../threaded-batches.ts";
import { createDescribers } from "./describe-document.ts";
import type { IndexThreadSettings, ThreadRequest } from "./index-thread.ts";

/** Weighs and inverts documents for a process that reads and writes meanwhile. What fails here ends the thread. */
async function serve(port: MessagePort, { kind, guard, meaning: name }: IndexThreadSettings): Promise<void> {
  const meaning = name === "" ? noMeaning : createTableMeaning(loadStaticTable({ folder: staticTableFolder() }));
  if (meaning.name !== name) throw new Error("The table is not the one that the process has.");
  const describe = createDescribers(guard)({ kind, meaning, later: () => undefined });
  const reply = (message: ThreadReply, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

  async function* described(): AsyncGenerator<OutdatedDocument> {
    for await (const [request] of on(port, "message") as AsyncIterable<[ThreadRequest]>) {
      if (request.kind === "finish") return;
      reply({ kind: "taken", size: request.size });
      for (const { path, seen, document } of request.documents) {
        yield { path, seen, document: document && describe(path, document) };
      }
    }
  }

  for await (const batch of indexBatches(described(), Date.now)) {
    const { remove, seen } = batch;
    const put = invertDocuments(batch.put);
    reply({ kind: "batch", batch: { put, remove, seen } }, buffersOf(put));
  }
  reply({ kind: "done" });
}

/** They are handed over, not copied. */
function buffersOf({ image, shown }: InvertedDocuments): ArrayBuffer[] {
  const held = [...image.pieces.map(({ bytes }) => bytes), shown.bytes, shown.ends];
  return held.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer);
}

if (parentPort) await serve(parentPort, workerData as IndexThreadSettings);
