import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { bundleProgram } from "./bundle-program.ts";
import { differences, snapshot } from "./race-outside.ts";
import { buildPlace, placeIn } from "./race-place.ts";
import type { RaceReport } from "./race-worker.ts";
import { closeRig, createViolations, readRigOptions } from "./rig-report.ts";
import { sourceOf } from "./sabotage.ts";

/**
 * rig:race: attackers swap folders, the one above the root among them, documents and the store's own files for links to
 * the outside while workers use the store. Nothing of the outside may be shown, changed or made (KER-2).
 */
const longOperations = 1_000_000;
const workers = 4;
const attackers = ["above", "folders", "documents", "auxiliary"];
/** Longer than this without a report, and an operation hangs. */
const hangAfterMs = 30_000;

const options = readRigOptions(15);
const source = sourceOf(options.broken);
const base = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "recollect-race-"));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

const place = placeIn(base);
const violations = createViolations();
const done = new Map<string, { succeeded: number; refused: number }>();
const codes = new Map<string, number>();
let operations = 0;
let printed = 0;
let ended = false;

function start(program: string, parameters: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [program, base, ...parameters], { stdio: ["ignore", "pipe", "pipe"] });
  let complaint = "";
  child.stderr?.on("data", (text) => {
    complaint += text;
  });
  child.once("close", (code, signal) => {
    if (!ended) violations.add("crashed", `${parameters.join(" ") || "worker"} (${code ?? signal}): ${complaint}`);
  });
  return child;
}

function startWorker(program: string): ChildProcess {
  const child = start(program, []);
  let heard = Date.now();
  if (child.stdout)
    createInterface(child.stdout).on("line", (line) => {
      heard = Date.now();
      if (!ended) take(JSON.parse(line) as RaceReport);
    });
  setInterval(() => {
    if (!ended && Date.now() - heard > hangAfterMs) violations.add("hangs", `a worker, for ${Date.now() - heard} ms`);
  }, hangAfterMs).unref();
  return child;
}

/** Once it reports for the first time, or has ended. */
function isAtWork(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => {
    child.stdout?.once("data", resolve);
    child.once("close", resolve);
  });
}

function take(report: RaceReport): void {
  for (const [operation, { succeeded, refused }] of Object.entries(report.done)) {
    const sum = done.get(operation) ?? { succeeded: 0, refused: 0 };
    done.set(operation, { succeeded: sum.succeeded + succeeded, refused: sum.refused + refused });
    operations += succeeded + refused;
  }
  for (const [code, count] of Object.entries(report.codes)) codes.set(code, (codes.get(code) ?? 0) + count);
  for (const says of report.violations) violations.add(says.includes("untyped") ? "untyped" : "shown", says);
}

/** Compares the outside with what it was: names and times all the time, bytes once a second. */
async function watchOutside(): Promise<void> {
  const [quick, whole] = [snapshot(place.outside, false), snapshot(place.outside, true)];
  const known = new Set<string>();
  for (let round = 0; ; round += 1) {
    const last = ended;
    const withBytes = last || round % 20 === 0;
    const found = differences(withBytes ? whole : quick, snapshot(place.outside, withBytes));
    for (const says of found.filter((one) => !known.has(one))) {
      known.add(says);
      violations.add("outside changed", says);
    }
    if (last) return;
    await delay(50);
  }
}

async function waitForTheEnd(): Promise<void> {
  const begin = Date.now();
  for (let shown = begin; ; await delay(200)) {
    const passed = (Date.now() - begin) / 1000;
    if (options.long ? operations >= longOperations : passed >= options.seconds) {
      console.log(`${operations} operations in ${passed.toFixed(1)} s, ${Math.round(operations / passed)} a second`);
      return;
    }
    if (violations.count("hangs") > 0 || violations.count("crashed") > 0) return;
    if (Date.now() - shown < (options.long ? 15_000 : 5000)) continue;
    shown = Date.now();
    console.log(`${passed.toFixed(0)} s: ${operations} operations, ${violations.total} violations`);
    if (violations.total > printed) violations.print();
    printed = violations.total;
  }
}

function isMeaningful(): boolean {
  const sums = [...done.values()];
  const succeeded = sums.reduce((sum, one) => sum + one.succeeded, 0);
  return succeeded > operations / 10 && operations - succeeded > operations / 50;
}

buildPlace(place);
const workerProgram = await bundleProgram("race-worker", source, base);
const attackerProgram = fileURLToPath(new URL("race-attacker.ts", import.meta.url));
const watching = watchOutside();
const children = Array.from({ length: workers }, () => startWorker(workerProgram));
process.once("exit", () => {
  // Whoever is killed may still be in a system call, and make something while its folder is removed.
  for (const child of children) child.kill("SIGKILL");
  rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});
// A root's own path is resolved when the store is opened: a link above it that is there by then is followed rightly.
await Promise.all(children.map(isAtWork));
children.push(...attackers.map((kind) => start(attackerProgram, [kind, kind])));
await waitForTheEnd();
const closed = children.map((child) => new Promise((resolve) => child.once("close", resolve)));
const alive = children.map((child) => child.exitCode === null && child.signalCode === null);
ended = true;
for (const child of children) child.kill("SIGKILL");
await Promise.all(closed.filter((_, index) => alive[index]));
await watching;

for (const [operation, { succeeded, refused }] of done) {
  console.log(`  ${operation.padEnd(8)} ${succeeded} succeeded, ${refused} refused`);
}
console.log(`  refused as ${[...codes].map(([code, count]) => `${code} ${count}`).join(", ")}`);
const escaped = violations.count("shown") + violations.count("outside changed");
console.log(
  `${operations} raced operations: ${violations.count("shown")} times the outside was shown, ` +
    `${violations.count("outside changed")} times it was changed`,
);
violations.print();
if (!isMeaningful()) {
  console.log("Too few operations succeeded, or too few met a swap, for this to mean anything.");
  process.exit(1);
}
closeRig("rig:race", options.broken, options.broken === undefined ? violations.total > 0 : escaped > 0);
