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
try {
  const program = await bundleProgram("history-worker", sourceOf(broken), base);
  const report = await letWritersWrite({ folder, writers: 4, revisions, program });
  const { violations: found, revisions: kept } = await checkHistory(folder, report);
  for (const says of found) violations.add("history", says);
  console.log(`  ${report.acknowledged.length} acknowledged, ${report.kills} kills, ${kept} revisions in history`);
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
closeRig("rig:history", broken, violations.total > 0);
