import { openPostgresBackend } from "../src/backends/postgres/backend.ts";
import { copyRoot } from "../src/care/migrate/migrate-workspace.ts";
import { openFilesBackend } from "../src/history/git/backend.ts";

/** Copies one way, `atOnce` together, until it is done or killed: by others, or by itself after `most` steps. */
const [direction = "", url = "", space = "", folder = "", atOnce = "", most = ""] = process.argv.slice(2);
let steps = 0;
const folders = openFilesBackend({ roots: [{ name: "notes", place: folder }], env: process.env, now: Date.now });
const spaces = await openPostgresBackend({ url, connections: 2, statementSeconds: 30 }, [
  { name: "notes", place: space },
]);
const [from, to] = direction === "to-space" ? [folders, spaces] : [spaces, folders];
const report = await copyRoot("notes", from, to, {
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
await folders.close();
await spaces.close();
