// One process of the concurrency test: stores its entries one after the other, and says after each which it was.
import { writeSync } from "node:fs";
import { openFilesStore } from "../../../src/backends/files/store.ts";
import { createDocuments } from "../../../src/kernel/documents.ts";
import { fullAccess } from "../../../src/kernel/root-policy.ts";
import { createTopics } from "../../../src/notes/topics/topics.ts";
import { workEntry } from "./work-entry.ts";

const [folder = "", label = "", from = "0", to = "0", today = ""] = process.argv.slice(2);
const store = openFilesStore({ roots: [{ name: "memory", folder }], now: Date.now });
const documents = createDocuments({ roots: [{ name: "memory", policy: fullAccess, store }] });
const topics = createTopics({ documents, root: "memory", stamp: { author: `agent:${label}` }, today: () => today });
for (let index = Number(from); index < Number(to); index += 1) {
  await topics.store(workEntry(label, index));
  writeSync(1, `${index}\n`);
}
await store.close();
