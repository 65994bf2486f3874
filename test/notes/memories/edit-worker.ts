// One process of the concurrency tests: edits and appends to one memory, and says how many were acknowledged.
// biome-ignore-all lint/suspicious/noConsole: standard output is the answer to the test

import { openFilesStore } from "../../../src/backends/files/store.ts";
import { createDocuments } from "../../../src/kernel/documents.ts";
import { fullAccess } from "../../../src/kernel/root-policy.ts";
import { createMemories } from "../../../src/notes/memories/memories.ts";
import { createRegexRunner } from "../../../src/notes/memories/regex-threads.ts";

const [folder = "", label = "", count = "0"] = process.argv.slice(2);
const store = openFilesStore({ roots: [{ name: "m", folder }], now: Date.now });
const documents = createDocuments({ roots: [{ name: "m", policy: fullAccess, store }] });
const regex = createRegexRunner({ limitMs: 20_000 });
const memories = createMemories({
  documents,
  folders: [{ root: "m", kind: "primary", baseName: "m", readOnly: false }],
  regex,
  stamp: { author: `agent:${label}` },
});

let acknowledged = 0;
for (let index = 0; index < Number(count); index += 1) {
  await change(index);
  acknowledged += 1;
}
await regex.close();
await store.close();
console.log(acknowledged);

/** Each kind of change in turn; all of them put one line of their own into the list between the two ends. */
function change(index: number): Promise<unknown> {
  const line = `${label}:${index}`;
  switch (index % 4) {
    case 0:
      return memories.append("log", `${line}\n`);
    case 1:
      return memories.edit("log", { needle: "(^BEGIN$)", replacement: `$!1\n${line}`, mode: "regex", multiple: false });
    case 2:
      return memories.prepend("log", `${line}\n`);
    default:
      return memories.edit("log", {
        needle: "BEGIN\n",
        replacement: `BEGIN\n${line}\n`,
        mode: "literal",
        multiple: false,
      });
  }
}
