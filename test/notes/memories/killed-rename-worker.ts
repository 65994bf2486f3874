// Renames a memory with references in several folders, and kills itself right before its Nth file system call.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { openFilesStore } from "../../../src/backends/files/store.ts";
import { createDocuments } from "../../../src/kernel/documents.ts";
import { fullAccess } from "../../../src/kernel/root-policy.ts";
import { createMemories } from "../../../src/notes/memories/memories.ts";

const [base = "", nth = "0"] = process.argv.slice(2);
const folders = ["primary", "shared"];
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
  stamp: { author: "agent:killed" },
});
countCalls(Number(nth));
await memories.rename("old", "SHARED_new");
process.stdout.write("acknowledged\n");

function countCalls(killAt: number): void {
  let calls = 0;
  const counted = ["writeSync", "fsyncSync", "renameSync", "linkSync", "unlinkSync", "rmSync", "mkdirSync"] as const;
  for (const name of counted) {
    const original = fs[name] as (...args: unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        calls += 1;
        if (calls === killAt) process.kill(process.pid, "SIGKILL");
        return original(...args);
      },
    });
  }
  syncBuiltinESMExports();
}
