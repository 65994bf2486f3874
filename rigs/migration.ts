import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { openFilesStore } from "../src/backends/files/store.ts";
import { openDatabase } from "../src/backends/postgres/database.ts";
import { openPostgresHistory } from "../src/backends/postgres/history.ts";
import { openPostgresStore } from "../src/backends/postgres/store.ts";
import { openGitHistory } from "../src/history/git/history.ts";
import { verifyRoot } from "../src/history/git/verify/verify.ts";
import { startPostgres } from "../test/helpers/postgres.ts";
import { bundleProgram } from "./bundle-program.ts";
import { compareRoots } from "./migration-compare.ts";
import { makeSource } from "./migration-source.ts";
import { createRandom } from "./random.ts";
import { closeRig, createViolations } from "./rig-report.ts";
import { sourceOf } from "./sabotage.ts";

/** PG-3: many documents with their history to PostgreSQL and back, by processes that are killed again and again. */
const isShort = process.argv.includes("--short");
const broken = process.argv.includes("--broken") ? process.argv[process.argv.indexOf("--broken") + 1] : undefined;
/** As many are made; some are deleted again, and 50,000 are left. */
const documents = isShort ? 5000 : 53_000;
const kills = isShort ? 4 : 6;
const base = mkdtempSync(join(tmpdir(), "recollect-rig-migration-"));
// In memory where there is such a place: to make the source is not what is looked at.
const made = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "recollect-rig-migration-"));
const [folder, back] = [join(made, "source"), join(base, "back")];
for (const one of [folder, back]) mkdirSync(one);
const violations = createViolations();
const random = createRandom(Date.now());
const postgres = await startPostgres();
const database = openDatabase({ url: postgres.url });
try {
  await database.migrate();
  const program = await bundleProgram("migration-worker", sourceOf(broken), base);
  await timed("the source", () => makeSource(folder, documents));
  await copyWithKills("to-space", program, folder);
  const space = openSpace();
  const source = openFolder(folder);
  const { operations } = await compareRoots(source, space, violations);
  console.log(`  ${operations} operations compared`);
  await copyWithKills("to-folder", program, back);
  const copied = openFolder(back);
  await compareRoots(source, copied, violations);
  const verified = await timed("verify", () => verifyRoot({ trail: copied.store.trail("notes"), env: process.env }));
  for (const { says } of verified.findings) violations.add("verify", says);
  console.log(`  ${verified.documents} documents, ${verified.revisions} revisions verified`);
  for (const one of [source, copied]) {
    await one.history.close();
    await one.store.close();
  }
} finally {
  await database.close();
  await postgres.dispose();
  for (const one of [base, made]) rmSync(one, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
violations.print();
closeRig("rig:migration", broken, violations.total > 0);

/** Killed again and again, further on each time; the last one comes to its end. */
async function copyWithKills(direction: "to-space" | "to-folder", program: string, at: string): Promise<void> {
  const begun = performance.now();
  for (let run = 0; ; run += 1) {
    const stop = run < kills ? (run + random()) / kills : 2;
    const { said, code } = await copyUntil(stop, [program, direction, postgres.url, "rig", at]);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    if (said.stage === "end") {
      const memory = Math.round((said.maxRSS ?? 0) / 1024);
      return console.log(`  ${direction}: ${seconds} s with ${run} kills; the last process had ${memory} MiB`);
    }
    if (code !== null) return violations.add("copy", `${direction} ended with ${code} after ${JSON.stringify(said)}`);
  }
}

interface Said {
  readonly stage?: "history" | "documents" | "end";
  readonly done?: number;
  readonly total?: number;
  readonly maxRSS?: number;
}

/** Killed at some moment after it has done so much, with its git or without it. */
async function copyUntil(stop: number, args: readonly string[]): Promise<{ said: Said; code: number | null }> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], detached: true });
  const closed = once(child, "close") as Promise<[number | null]>;
  let [isDue, said]: [boolean, Said] = [false, {}];
  const kill = () => {
    if (child.pid !== undefined && child.exitCode === null)
      process.kill(random() < 0.5 ? -child.pid : child.pid, "SIGKILL");
  };
  for await (const line of createInterface(child.stdout)) {
    said = JSON.parse(line) as Said;
    if (isDue || shareOf(said) < stop) continue;
    isDue = true;
    void delay(random() * 200).then(kill);
  }
  const [code] = await closed;
  return { said, code };
}

/** History is most of the work. */
function shareOf({ stage, done = 0, total = 0 }: Said): number {
  const share = total === 0 ? 0 : done / total;
  return stage === "history" ? 0.7 * share : 0.7 + 0.3 * share;
}

function openFolder(at: string) {
  const store = openFilesStore({ now: Date.now, roots: [{ name: "notes", folder: at }] });
  return { store, history: openGitHistory({ trail: store.trail("notes"), env: process.env, now: Date.now }) };
}

function openSpace() {
  const store = openPostgresStore({ database, roots: [{ name: "notes", space: "rig" }] });
  return { store, history: openPostgresHistory({ database, root: "notes", space: "rig", now: Date.now }) };
}

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const begun = performance.now();
  const result = await work();
  console.log(`  ${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  return result;
}
