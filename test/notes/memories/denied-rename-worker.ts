// Renames memories as a user who may not write everywhere. Prints what came of each.
import { join } from "node:path";
import { openFilesStore } from "../../../src/backends/files/store.ts";
import { createDocuments } from "../../../src/kernel/documents.ts";
import { isRecollectError } from "../../../src/kernel/errors.ts";
import { fullAccess } from "../../../src/kernel/root-policy.ts";
import { createMemories } from "../../../src/notes/memories/memories.ts";

const [base = "", user = "", ...renamings] = process.argv.slice(2);
if (user !== "") {
  process.setgroups?.([Number(user)]);
  process.setgid?.(Number(user));
  process.setuid?.(Number(user));
}
const folders = ["primary", "own", "team"];
const store = openFilesStore({ roots: folders.map((name) => ({ name, folder: join(base, name) })), now: Date.now });
const documents = createDocuments({ roots: folders.map((name) => ({ name, policy: fullAccess, store })) });
const memories = createMemories({
  documents,
  folders: folders.map((root, index) => ({
    root,
    kind: index === 0 ? "primary" : "additional",
    baseName: root,
    readOnly: false,
  })),
  regex: { edit: () => Promise.reject(new Error("a rename edits nothing by regex")) },
  stamp: { author: "agent:denied" },
});
const answers = [];
for (const renaming of renamings) {
  const [from = "", to = ""] = renaming.split(">");
  answers.push(await memories.rename(from, to).catch(toAnswer));
}
await store.close();
process.stdout.write(JSON.stringify(answers));

function toAnswer(error: unknown): unknown {
  if (!isRecollectError(error)) throw error;
  const { code, message, data } = error;
  return { code, message, data };
}
