import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleProgram } from "./bundle-program.ts";
import { checkHistory, letWritersWrite } from "./history-writers.ts";
import { closeRig, createViolations, readRigOptions } from "./rig-report.ts";
import { sourceOf } from "./sabotage.ts";

/** HIST-1: 1,000 revisions by four processes that are killed all the time; each can be shown byte for byte. */
const { long, broken } = readRigOptions(0);
const revisions = long ? 10_000 : 1000;
const base = mkdtempSync(join(tmpdir(), "recollect-rig-history-"));
const folder = join(base, "root");
const violations = createViolations();
let isMeaningful = false;
try {
  const program = await bundleProgram("history-worker", sourceOf(broken), base);
  const report = await letWritersWrite({ folder, writers: 4, revisions, program });
  const { acknowledged, kills, recorded, cutOff, failed } = report;
  if (failed > 0) violations.add("failed", `${failed} writers ended by themselves`);
  const { violations: found, revisions: kept } = await checkHistory(folder, report);
  for (const says of found) violations.add("history", says);
  console.log(`  ${acknowledged.length} acknowledged, ${kept} revisions in history`);
  console.log(`  ${kills} kills, ${cutOff} of them while recording; ${recorded} recordings came to their end`);
  isMeaningful = Math.min(cutOff, recorded) >= kills / 4;
  const fsck = execFileSync("git", [
    `--git-dir=${join(folder, ".recollect/history")}`,
    "fsck",
    "--strict",
    "--no-dangling",
  ]);
  if (fsck.length > 0) violations.add("fsck", fsck.toString("utf8"));
} finally {
  rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
violations.print();
// What waits for the catch-up of the check, which is never killed, was not tried.
if (!isMeaningful) {
  console.log("Too few recordings came to their end, or were cut off, for this to mean anything.");
  process.exit(1);
}
// A broken build counts as caught by what history holds, not by errors that happen to come with it.
closeRig("rig:history", broken, (broken === undefined ? violations.total : violations.count("history")) > 0);
