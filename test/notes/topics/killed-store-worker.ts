// Stores one entry that prunes into two archives, and kills itself right before its Nth call that changes something.

import { openFilesStore } from "../../../src/backends/files/store.ts";
import { createDocuments } from "../../../src/kernel/documents.ts";
import { fullAccess } from "../../../src/kernel/root-policy.ts";
import { createTopics } from "../../../src/notes/topics/topics.ts";
import { beforeEachCall } from "../../backends/files/interrupt-at-call.ts";
import { newEntry } from "./new-entry.ts";

const [folder = "", nth = "0"] = process.argv.slice(2);
const store = openFilesStore({ roots: [{ name: "memory", folder }], now: Date.now });
const documents = createDocuments({ roots: [{ name: "memory", policy: fullAccess, store }] });
const topics = createTopics({
  documents,
  root: "memory",
  stamp: { author: "agent:killed" },
  today: () => "2026-11-15",
});
let calls = 0;
beforeEachCall((call) => {
  // Most of what is opened is only read.
  if (call !== "openSync") calls += 1;
  if (calls === Number(nth)) process.kill(process.pid, "SIGKILL");
});
await topics.store(newEntry("Fresh"));
process.stdout.write("acknowledged\n");
