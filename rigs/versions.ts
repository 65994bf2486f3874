import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRandom } from "./random.ts";
import { closeRig, createViolations } from "./rig-report.ts";
import { sourceOf } from "./sabotage.ts";
import { judge } from "./versions-judge.ts";
import { createStepsReport, takeSteps } from "./versions-steps.ts";
import { createVersionsWorld } from "./versions-world.ts";

/**
 * HIST-1, KER-6b, ONE-3: versions acknowledged over MCP, HTTP and the command line stay restorable, whatever editors,
 * kills, `git clean`, deleted folders, hard-link copies and branch switches do. What is lost is named by verify, or was
 * not recorded yet when its folder was deleted.
 */
const { values } = parseArgs({
  options: {
    long: { type: "boolean" },
    steps: { type: "string" },
    seed: { type: "string" },
    broken: { type: "string" },
  },
});
const steps = Number(values.steps ?? (values.long ? 4000 : 600));
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const violations = createViolations();
const source = sourceOf(values.broken);
console.log(`  the same choices again: --seed ${seed}`);

for (const isTracked of [false, true]) {
  const base = mkdtempSync(join(tmpdir(), "recollect-rig-versions-"));
  try {
    const world = await createVersionsWorld(base, source);
    const report = createStepsReport();
    const random = createRandom(seed + Number(isTracked));
    for (let done = 0; done < steps; done += 200) {
      await takeSteps({ world, random, steps: Math.min(200, steps - done), isTracked, report });
      const { findings } = isTracked ? await world.verify() : { findings: [] };
      for (const { level, says } of findings) {
        if (level !== "changed outside") violations.add("called damage", says);
      }
    }
    await world.stopServers();
    const { restorable, named, deletedBefore, oldestMs, lost } = await judge(world, report);
    for (const says of lost) violations.add("lost", says);
    for (const path of report.changedCopies) violations.add("written through a second name", path);
    const counts = [...report.counts].map(([kind, count]) => `${count} ${kind}`).sort();
    console.log(`  ${isTracked ? "notes in git" : "notes beside git"}: ${counts.join(", ")}`);
    console.log(`  ${report.acknowledged.length} acknowledged: ${restorable} restorable, ${named} named by verify`);
    console.log(`  ${deletedBefore} deleted with their folder before they were recorded, at most ${oldestMs} ms old`);
  } finally {
    rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}
violations.print();
closeRig("rig:versions", values.broken, violations.total > 0);
