import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseDocumentPath } from "../src/kernel/document-path.ts";
import { bundleProgram } from "./bundle-program.ts";
import { checkAfterCrash } from "./crash-check.ts";
import { readCrashLogs } from "./crash-log.ts";
import { identitiesIn, sharedPaths, wanderingPaths } from "./crash-records.ts";
import type { Kernel } from "./open-kernel.ts";
import { closeRig, createViolations, readRigOptions } from "./rig-report.ts";
import { sourceOf } from "./sabotage.ts";

/**
 * rig:crash: eight processes write to shared documents while a nemesis kills and pauses them. Then
 * every acknowledged write must be there exactly once, in one chain of revisions (KER-4 to KER-7).
 */
const workers = 8;
const fewest = 300;
const long = { acknowledged: 10_000, kills: 500, pauses: 50 };

const options = readRigOptions(15);
const source = sourceOf(options.broken);
const base = mkdtempSync(join(tmpdir(), "recollect-crash-"));
const [folder, logs] = [join(base, "root"), join(base, "logs")];
for (const made of [folder, logs]) mkdirSync(made);
const program = await bundleProgram("crash-worker", source, base);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

const violations = createViolations();
const running: ChildProcess[] = [];
process.once("exit", () => {
  // Whoever is killed may still be in a system call, and make something while its folder is removed.
  for (const child of running) child.kill("SIGKILL");
  rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});
let [started, kills, pauses, reads] = [0, 0, 0, 0];
let ended = false;

function start(slot: number): void {
  started += 1;
  const name = `w${slot}.${started}`;
  const child = spawn(process.execPath, [program, folder, join(logs, name), name], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaint = "";
  child.stderr?.on("data", (text) => {
    complaint += text;
  });
  child.once("close", (code, signal) => {
    if (signal !== "SIGKILL") violations.add("crashed", `${name} ended by itself (${code ?? signal}): ${complaint}`);
    if (!ended) start(slot);
  });
  running[slot] = child;
}

/** Mostly kills; now and then a pause, of which some end in a kill. */
async function torment(): Promise<void> {
  while (!ended) {
    await delay(20 + Math.random() * 330);
    const victim = running[Math.floor(Math.random() * workers)];
    if (!victim || victim.exitCode !== null || victim.signalCode !== null) continue;
    const pausing = Math.random() < 0.15;
    if (pausing) {
      victim.kill("SIGSTOP");
      pauses += 1;
      await delay(10 + Math.random() * 400);
    }
    if (pausing && Math.random() < 0.8) victim.kill("SIGCONT");
    else if (victim.kill("SIGKILL")) kills += 1;
  }
}

/** Reads through the store, and as a person's editor would, straight from the disk. */
async function readAllTheTime(kernel: Kernel): Promise<void> {
  const paths = [...sharedPaths, ...wanderingPaths];
  while (!ended) {
    await delay(3);
    const path = paths[Math.floor(Math.random() * paths.length)] ?? "";
    reads += 2;
    try {
      const found = await kernel.documents.read({ root: "rig", path: parseDocumentPath(path) });
      if (found && !identitiesIn(found.content)) violations.add("torn", `${path}: ${found.content.slice(0, 80)}`);
      const raw = readFileSync(join(folder, path), "utf8");
      if (!identitiesIn(raw)) violations.add("torn", `${path} on disk: ${raw.length} characters`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") violations.add("failed", `read ${path}: ${error}`);
    }
  }
}

function acknowledgedSoFar(): number {
  return readCrashLogs(logs).filter((line) => line.kind === "acknowledged").length;
}

async function waitForTheEnd(): Promise<void> {
  const begin = Date.now();
  for (let shown = begin; ; await delay(200)) {
    const passed = (Date.now() - begin) / 1000;
    if (Date.now() - shown < 5000) continue;
    shown = Date.now();
    const acknowledged = acknowledgedSoFar();
    // On a machine that is busy with other things, a short run goes on until it means something.
    const enough = acknowledged >= fewest || passed > 4 * options.seconds;
    if (!options.long && passed >= options.seconds && enough) return;
    console.log(`${passed.toFixed(0)} s: ${acknowledged} acknowledged, ${kills} kills, ${pauses} pauses`);
    if (options.long && acknowledged >= long.acknowledged && kills >= long.kills && pauses >= long.pauses) return;
  }
}

async function stopAll(): Promise<void> {
  ended = true;
  const closed = running.map((child) => new Promise((resolve) => child.once("close", resolve)));
  for (const child of running) child.kill("SIGKILL");
  await Promise.all(closed);
}

const opened = (await import(await bundleProgram("open-kernel", source, base))) as typeof import("./open-kernel.ts");
const kernel = opened.openKernel(folder);
for (let slot = 0; slot < workers; slot += 1) start(slot);
const busy = [torment(), readAllTheTime(kernel)];
await waitForTheEnd();
await stopAll();
await Promise.all(busy);

const lines = readCrashLogs(logs);
for (const line of lines) {
  if (line.kind === "torn") violations.add("torn", `${line.path}: ${line.says}`);
  if (line.kind === "failed") violations.add("failed", line.says);
}
try {
  const report = await kernel.store.recover();
  console.log(`recovered: ${report.completed} commits completed, ${report.discarded} leftovers discarded`);
  await checkAfterCrash(kernel.store, folder, lines, violations);
} catch (error) {
  violations.add("failed", `the check: ${error instanceof Error ? error.stack : error}`);
}
await kernel.store.close();

const acknowledged = lines.filter((line) => line.kind === "acknowledged").length;
const lost = violations.count("lost");
const torn = violations.count("torn");
const breaks = violations.count("chain") + violations.count("twice") + violations.count("half a commit");
console.log(
  `${acknowledged} acknowledged writes, ${kills} kills, ${pauses} pauses, ${reads} reads: ` +
    `${lost} lost, ${torn} torn, ${violations.count("leftover")} leftovers, ${breaks} chain breaks`,
);
violations.print();
if (acknowledged < fewest) {
  console.log("Too few writes were acknowledged for this to mean anything.");
  process.exit(1);
}
// A broken build counts as caught by what it loses, not by errors that happen to come with it.
closeRig("rig:crash", options.broken, options.broken === undefined ? violations.total > 0 : lost + torn > 0);
