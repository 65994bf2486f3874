import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRandom } from "./random.ts";
import { closeRig, createViolations } from "./rig-report.ts";
import { sabotages, sourceOf } from "./sabotage.ts";
import { expectNoDamage } from "./versions-disturbances.ts";
import { judge } from "./versions-judge.ts";
import { useLargeFolder } from "./versions-large.ts";
import { createStepsReport, type StepsReport } from "./versions-report.ts";
import { takeSteps } from "./versions-steps.ts";
import { createVersionsWorld, type Surrounding, surroundings, type VersionsWorld } from "./versions-world.ts";

/**
 * HIST-1, KER-6b, ONE-3: versions acknowledged over MCP, the JSON API and the command line stay restorable, whatever
 * editors, kills, `git clean`, deleted folders, hard-link copies and branch switches do. What is lost is named by
 * verify, or was not recorded yet when its folder was deleted.
 */
const worlds: readonly string[] = [...surroundings, "large folder"];
const usage = `Usage: npm run rig:versions -- [options]

  --steps N      steps in each of the two large worlds; a quarter of it in the two small ones, but enough for
                 every kind of disturbance (default: 450)
  --long         4000 steps
  --seed N       the same choices again; processes and disks still take their own time
  --only NAME    one world: ${worlds.map((name) => `"${name}"`).join(", ")}
  --broken NAME  a broken build, which the rig must catch:
                 ${sabotages.flatMap(({ name }) => (name.startsWith("versions-") ? [name] : [])).join(", ")}
  RIG_TALKS=1 in the environment shows what servers say and why requests are refused.
`;

const values = readArguments();
const steps = Number(values.steps ?? (values.long ? 4000 : 450));
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const violations = createViolations();
const source = sourceOf(values.broken);
console.log(`  the same choices again: --seed ${seed}`);

for (const [index, surrounding] of surroundings.entries()) {
  const isSmall = surrounding === "a linked worktree" || surrounding === "no git";
  const asked = isSmall ? Math.ceil(steps / 4) : steps;
  await runWorld(surrounding, surrounding, async (world, report) => {
    await world.servers.start();
    await takeSteps({ world, random: createRandom(seed + index), steps: asked, report });
    if (surrounding === "notes in git") await expectNoDamage("at the end", world, report);
    await world.servers.end("SIGTERM");
  });
}
await runWorld("large folder", "notes beside git", (world, report) =>
  useLargeFolder(world, values.long ? 60 : 8, report),
);
violations.print();
// A broken build counts as caught by the versions that it lost, not by errors that happen to come with it.
closeRig(
  "rig:versions",
  values.broken,
  (values.broken === undefined ? violations.total : violations.count("lost")) > 0,
);

async function runWorld(
  name: string,
  surrounding: Surrounding,
  act: (world: VersionsWorld, report: StepsReport) => Promise<void>,
): Promise<void> {
  if (values.only !== undefined && values.only !== name) return;
  const base = mkdtempSync(join(tmpdir(), "recollect-rig-versions-"));
  const begun = Date.now();
  try {
    const world = createVersionsWorld(base, source, surrounding);
    const report = createStepsReport();
    await act(world, report);
    const { restorable, named, excused, oldestMs, hidden, lost } = await judge(world, report);
    for (const says of lost) violations.add("lost", `${name}: ${says}`);
    for (const says of hidden) violations.add("in the log, but not found by its name", `${name}: ${says}`);
    for (const { kind, says } of report.broken) violations.add(kind, `${name}: ${says}`);
    const counts = [...report.counts].map(([kind, times]) => `${times} ${kind}`).sort();
    console.log(`  ${name}, ${Math.round((Date.now() - begun) / 1000)} s: ${counts.join(", ")}`);
    console.log(`    ${report.acknowledged.length} acknowledged: ${restorable} restorable, ${named} named by verify`);
    console.log(`    ${excused} deleted with their folder before they were recorded, at most ${oldestMs} ms old`);
  } finally {
    rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

function readArguments() {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    const options = { long: flag, help: flag, steps: text, seed: text, only: text, broken: text };
    const parsed = parseArgs({ options }).values;
    if (parsed.only !== undefined && !worlds.includes(parsed.only)) throw new Error(`No world “${parsed.only}”.`);
    if (!parsed.help) return parsed;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    process.exit(2);
  }
  console.log(usage);
  process.exit(0);
}
