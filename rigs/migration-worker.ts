import { openFilesStore } from "../src/backends/files/files-store.ts";
import { openDatabase } from "../src/backends/postgres/database.ts";
import { createWakeUp } from "../src/backends/postgres/wake-up.ts";
import { copyToFolder } from "../src/care/migrate/copy-to-folder.ts";
import { copyToSpace } from "../src/care/migrate/copy-to-space.ts";

/** Copies one way, `atOnce` together, until it is done or killed: by others, or by itself after `most` steps. */
const [direction = "", url = "", space = "", folder = "", atOnce = "", most = ""] = process.argv.slice(2);
let steps = 0;
const store = openFilesStore({ now: Date.now, roots: [{ name: "notes", folder }] });
const database = openDatabase({ url, connections: 2 });
const wakeUp = createWakeUp({ url });
const copy = direction === "to-space" ? copyToSpace : copyToFolder;
const report = await copy({
  ...{ store, root: "notes", database, space, wakeUp, env: process.env, now: Date.now },
  ...(atOnce === "" ? {} : { atOnce: Number(atOnce) }),
  onProgress: (progress) => {
    process.stdout.write(`${JSON.stringify(progress)}\n`);
    steps += 1;
    // From within, so that it is at this very step however busy the machine is.
    if (String(steps) === most) process.kill(process.pid, "SIGKILL");
  },
});
const { maxRSS } = process.resourceUsage();
process.stdout.write(`${JSON.stringify({ stage: "end", ...report, maxRSS })}\n`);
await store.close();
await wakeUp.close();
await database.close();
