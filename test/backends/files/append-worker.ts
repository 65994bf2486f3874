// One writing process of the exclusion tests. Prints how many appends were acknowledged.
// biome-ignore-all lint/suspicious/noConsole: standard output is the answer to the test
import { createDocuments, fullAccess, openFilesStore, parseDocumentPath } from "../../../src/app.ts";

interface Job {
  readonly root: string;
  readonly path: string;
  readonly label: string;
  readonly count: number;
  readonly uid?: number;
  readonly gid?: number;
  /** List, read and follow the folder all the time, also while this process holds its lock. */
  readonly scan?: boolean;
}

const job = JSON.parse(process.argv[2] ?? "{}") as Job;
if (job.gid !== undefined) {
  process.setgroups?.([job.gid]);
  process.setgid?.(job.gid);
}
if (job.uid !== undefined) process.setuid?.(job.uid);

const store = openFilesStore({
  roots: [{ name: "r", folder: job.root }],
  now: Date.now,
  blockingSync: job.scan !== true,
});
const documents = createDocuments({ roots: [{ name: "r", policy: fullAccess, store }] });
const at = { root: "r", path: parseDocumentPath(job.path) };
let working = true;
const scanning = job.scan ? scan() : Promise.resolve();
let kept = 0;
for (let line = 0; line < job.count; line += 1) {
  await documents.append(at, `${job.label}:${line}\n`, { author: `agent:${job.label}` });
  kept += 1;
}
working = false;
await scanning;
await store.close();
console.log(kept);

async function scan(): Promise<void> {
  while (working) {
    await store.list({ root: "r", limit: 100, details: true });
    await store.read(store.resolve(at));
    await store.recent({ root: "r", limit: 5 });
    await store.trail("r").records({});
    await store.recover();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
