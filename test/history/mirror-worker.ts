import { openFilesStore } from "../../src/backends/files/store.ts";
import { openGitHistory } from "../../src/history/git/history.ts";
import { createDocuments } from "../../src/kernel/documents.ts";
import { fullAccess } from "../../src/kernel/root-policy.ts";
import { at } from "../backends/files/scratch.ts";

/** Writes and records without end; told to be killed at any moment. */
const [, , folder = "", dataFolder = "", round = ""] = process.argv;
const store = openFilesStore({ now: Date.now, roots: [{ name: "notes", folder }] });
const documents = createDocuments({ roots: [{ name: "notes", policy: fullAccess, store }] });
const mirror = { folder, dataFolder };
const history = openGitHistory({ trail: store.trail("notes"), env: process.env, now: Date.now, mirror });
for (let index = 0; ; index += 1) {
  await documents.write(at("a.md"), `round ${round}, ${index}\n`, { author: "agent:ada" });
  if (index === 2) process.stdout.write("go\n");
  await history.catchUp();
}
