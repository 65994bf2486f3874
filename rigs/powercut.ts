/**
 * `npm run rig:powercut`: cuts the power of a real ext4 and a real XFS while a process writes through
 * the store, and checks after the remount that everything acknowledged is there. Options: --long for
 * 100 cuts on each, --cuts N, --seed N, --broken NAME for a sabotaged build that must be caught.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { check, listen, type Told } from "./powercut-check.ts";
import { createDisk, type Disk, type FileSystem, fileSystems, reasonToSkip } from "./powercut-disk.ts";
import { openStore } from "./powercut-store.ts";
import type { Report } from "./powercut-writer.ts";
import { createRandom, type Random } from "./random.ts";
import { closeRig, createViolations, type Violations } from "./rig-report.ts";
import { goodSource, sourceOf } from "./sabotage.ts";

const { values: options } = parseArgs({
  options: {
    long: { type: "boolean" },
    cuts: { type: "string" },
    seed: { type: "string" },
    broken: { type: "string" },
  },
});
const cuts = Number(options.cuts ?? (options.long ? 100 : options.broken ? 20 : 5));
const seed = Number(options.seed ?? Date.now() % 1_000_000);
/** The writer is cut between its first operations and a folder full of them. */
const longestRunMs = 700;
const mostOperations = 30;

interface Figures {
  acknowledged: number;
  inFlight: number;
  records: number;
  lostRecords: number;
  revisions: number;
  lostRevisions: number;
  completed: number;
  discarded: number;
}

/** Runs the writer until the power goes, and returns what it said until then. */
async function writeUntilCut(source: string, disk: Disk, folder: string, random: Random): Promise<Told> {
  const writerFile = join(import.meta.dirname, "powercut-writer.ts");
  // Every other cut hits a writer that rests after an answer: nothing it does next can make that durable.
  const restsAfter = random() < 0.5 ? 0 : Math.ceil(random() * mostOperations);
  const writerSeed = Math.floor(random() * 1e9);
  const writer = spawn(process.execPath, [writerFile, source, folder, String(writerSeed), String(restsAfter)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = () => writer.kill("SIGKILL");
  process.once("exit", kill);
  const ended = once(writer, "exit");
  const reports: Report[] = [];
  const lines = createInterface({ input: writer.stdout });
  const heard = once(lines, "close");
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  lines.on("line", (line) => {
    const report = parseReport(line);
    if (!report) return;
    reports.push(report);
    if (restsAfter === 0 || (report.kind === "acknowledged" && report.serial === restsAfter)) reach();
  });
  const power = disk.prepareCut();
  await Promise.race([reached, ended]);
  if (restsAfter === 0) await delay(random() * longestRunMs);
  const early = reports.find((report) => report.kind === "refused");
  if (early) throw new Error(`the writer was refused before the power was cut: ${JSON.stringify(early)}`);
  // Stopped first: XFS lets a folder be synced "successfully" after its shutdown, and a process that
  // lives on after the cut would acknowledge that. A system call that is under way goes on.
  writer.kill("SIGSTOP");
  await power.cut();
  writer.kill("SIGKILL");
  // After the last line too: what was acknowledged before the cut may still be in the pipe.
  await Promise.all([ended, heard]);
  process.removeListener("exit", kill);
  return listen(reports);
}

/** Undefined for a last line that the kill tore: an operation that had not begun. */
function parseReport(line: string): Report | undefined {
  try {
    return JSON.parse(line) as Report;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function cutOnce(source: string, disk: Disk, cut: number, random: Random, found: Violations): Promise<Figures> {
  disk.mount();
  for (const old of readdirSync(disk.folder).filter((name) => name.startsWith("cut-"))) {
    rmSync(join(disk.folder, old), { recursive: true });
  }
  const folder = join(disk.folder, `cut-${cut}`);
  // Remounted once, so that nothing but the operations themselves is still on its way to the disk.
  mkdirSync(folder);
  disk.unmount();
  disk.mount();
  const told = await writeUntilCut(source, disk, folder, random);
  disk.unmount();
  disk.mount();
  const { store } = await openStore(goodSource, folder);
  const { completed, discarded } = await store.recover();
  const verdict = await check(folder, told, store);
  await store.close();
  disk.unmount();
  for (const problem of verdict.problems) {
    found.add(problem.split(":")[0] ?? "", `cut ${cut} after ${told.operations} operations: ${problem}`);
  }
  return {
    acknowledged: told.operations,
    inFlight: told.inFlight ? 1 : 0,
    records: told.records,
    lostRecords: verdict.lostRecords,
    revisions: told.superseded.length,
    lostRevisions: verdict.lostRevisions,
    completed,
    discarded,
  };
}

async function cutMany(kind: FileSystem, source: string, workspace: string, found: Violations): Promise<void> {
  const disk = createDisk(kind, workspace);
  process.prependOnceListener("exit", disk.remove);
  const random = createRandom(seed);
  const sum: Figures = {
    acknowledged: 0,
    inFlight: 0,
    records: 0,
    lostRecords: 0,
    revisions: 0,
    lostRevisions: 0,
    completed: 0,
    discarded: 0,
  };
  const before = found.total;
  let cut = 0;
  // A broken build needs to be caught once on each file system.
  while (cut < cuts && !(options.broken && found.total > before)) {
    cut += 1;
    const figures = await cutOnce(source, disk, cut, random, found);
    for (const key of Object.keys(sum) as (keyof Figures)[]) sum[key] += figures[key];
  }
  console.log(
    [
      `${kind}: ${cut} cuts, ${sum.acknowledged} operations acknowledged, ${sum.inFlight} in flight;`,
      `recovery completed ${sum.completed} commits and discarded ${sum.discarded} files.`,
      `Lost, as FORMAT.md allows: ${sum.lostRecords} of ${sum.records} journal records,`,
      `${sum.lostRevisions} of ${sum.revisions} superseded revisions.`,
    ].join(" "),
  );
  disk.remove();
  process.removeListener("exit", disk.remove);
}

const skip = reasonToSkip();
if (skip) {
  console.log(`skipped: ${skip}.`);
  process.exit(0);
}
const source = sourceOf(options.broken);
const workspace = mkdtempSync(join(tmpdir(), "recollect-powercut-"));
// The disks are put in front of this: nothing is deleted below a mount.
process.once("exit", () => rmSync(workspace, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
const found = createViolations();
console.log(`seed ${seed}`);
for (const kind of fileSystems) await cutMany(kind, source, workspace, found);
found.print();
closeRig("rig:powercut", options.broken, found.total > 0);
