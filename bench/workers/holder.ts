import { addressOf, openDocuments, stamp } from "../open-documents.ts";

const [folder = "", document = ""] = process.argv.slice(2);
const { documents } = openDocuments(folder);
const at = addressOf(document);
process.send?.("ready");

process.on("message", () =>
  documents.commit(
    [at],
    () => {
      process.send?.("holding");
      // Stands still with the lock in hand, until it is killed.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      return [];
    },
    stamp,
  ),
);
