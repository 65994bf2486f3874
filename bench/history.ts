import { join } from "node:path";
import { parseArgs } from "node:util";
import { openGitHistory } from "../src/history/git/history.ts";
import type { ExistingPath } from "../src/kernel/document-path.ts";
import { createMemoryTrail } from "./history/memory-trail.ts";
import { bytesOn, commitEach, git } from "./history/plain-git.ts";
import { writeRevisions } from "./history/revisions.ts";
import { measureWrites } from "./history/write-cost.ts";
import type { Row } from "./measurement.ts";
import { finish } from "./report.ts";
import { median } from "./statistics.ts";
import { printTable } from "./table.ts";
import { withWorkFolder } from "./work-folder.ts";

const { values } = parseArgs({
  options: {
    check: { type: "boolean" },
    documents: { type: "string", default: "1000" },
    revisions: { type: "string", default: "10000" },
    logged: { type: "string", default: "100000" },
    writes: { type: "string", default: "400" },
  },
});
const documents = Number(values.documents);
/** Revisions that are taken over at once: some seconds of an agent at work. */
const perRun = 20;
const rows: Row[] = [];

await withWorkFolder(async (folder) => {
  tell(await measureWrites(join(folder, "writes"), Number(values.writes)));
});
await withWorkFolder(async (folder) => {
  const { ours, plain } = await build(folder, Number(values.revisions));
  tell([
    {
      measurement: `size of ${values.revisions} revisions of ${documents} documents`,
      unit: "MB",
      ours: bytesOn(ours) / 1e6,
      reference: { name: "git commit each, gc", value: bytesOn(plain) / 1e6 },
      limit: 1.5,
    },
  ]);
});
await withWorkFolder(async (folder) => {
  const { plain, history } = await build(folder, Number(values.logged), 5000);
  const path = `note-${Math.floor(documents / 2)}.md` as ExistingPath;
  const timed = { ours: [] as number[], plain: [] as number[] };
  for (let round = 0; round < 9; round += 1) {
    timed.ours.push(await time(async () => history.log({ path, limit: 1000 })));
    timed.plain.push(await time(async () => git(plain, ["log", "--", path])));
  }
  tell([
    {
      measurement: `log of one document among ${values.logged} revisions`,
      unit: "ms",
      ours: median(timed.ours),
      reference: { name: "git log -- path", value: median(timed.plain) },
      limit: 2,
    },
  ]);
});
finish("history", rows, { check: values.check ?? false });

function tell(found: readonly Row[]): void {
  printTable(found);
  rows.push(...found);
}

async function build(folder: string, revisions: number, atOnce = perRun) {
  const [ours, plain] = [join(folder, "ours/history"), join(folder, "plain")];
  const trail = createMemoryTrail(ours);
  const history = openGitHistory({ trail, env: process.env, now: Date.now });
  let index = 0;
  for (const revision of writeRevisions(documents, revisions)) {
    trail.write(revision);
    index += 1;
    if (index % atOnce !== 0) continue;
    await history.catchUp();
    await history.maintain();
  }
  await history.catchUp();
  await history.maintain();
  await commitEach(plain, writeRevisions(documents, revisions));
  return { ours, plain, history };
}

async function time(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
