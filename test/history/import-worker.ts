import { openFilesStore } from "../../src/backends/files/store.ts";
import { openGitHistory } from "../../src/history/git/history.ts";

/** Records a root that history has never seen, so many documents in one run, until it is done or killed. */
const [folder = "", importLimit = ""] = process.argv.slice(2);
const store = openFilesStore({ now: Date.now, roots: [{ name: "notes", folder }] });
const trail = store.trail("notes");
const history = openGitHistory({ trail, env: process.env, now: Date.now, importLimit: Number(importLimit) });
await history.catchUp();
await history.close();
await store.close();
