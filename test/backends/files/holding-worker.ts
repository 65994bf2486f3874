// Takes the lock of a folder and keeps it until it is killed: the plan of its commit never returns.
import { openFilesStore, parseDocumentPath } from "../../../src/app.ts";

const store = openFilesStore({ roots: [{ name: "r", folder: process.argv[2] ?? "" }], now: Date.now });
const at = { root: "r", path: parseDocumentPath("held.md") };
await store.commit(
  [at].map(store.resolve),
  () => {
    process.stdout.write("held\n");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return [];
  },
  { author: "agent:holder" },
);
