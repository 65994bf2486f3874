import { openFilesStore } from "../../src/backends/files/store.ts";
import { openGitHistory } from "../../src/history/git/history.ts";

/** Drops what is older than so many milliseconds from the history of a root, until it is done or killed. */
const [folder = "", now = "", keepMs = ""] = process.argv.slice(2);
const store = openFilesStore({ now: () => Number(now), roots: [{ name: "notes", folder }] });
const history = openGitHistory({
  trail: store.trail("notes"),
  env: process.env,
  now: () => Number(now),
  keepMs: Number(keepMs),
});
process.stdout.write("begun\n");
await history.trim();
process.stdout.write("done\n");
await history.close();
await store.close();
