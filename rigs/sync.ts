import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleProgram } from "./bundle-program.ts";
import { createRandom } from "./random.ts";
import { closeRig, createViolations, readRigOptions } from "./rig-report.ts";
import { sourceOf } from "./sabotage.ts";
import { checkClones, letClonesSync } from "./sync-clones.ts";
import { makeScratchRepository, mergeBranches } from "./sync-merges.ts";

/**
 * HIST-4: clones with real git that do anything and sync in any order, with kills. `--long` goes on for 10,000 merges, of
 * which most are made between branches of one repository: the same merge and the same git, without folder and remote.
 */
const { long, broken } = readRigOptions(0);
const [wanted, atOnce] = [long ? 1000 : 100, 2];
const wantedOfBranches = long ? 9000 : 200;
const base = mkdtempSync(join(tmpdir(), "recollect-rig-sync-"));
const violations = createViolations();
let [merges, kills, worlds] = [0, 0, 0];

/** Worlds are small, so that histories do not grow beyond what a test can look through. */
async function runWorlds(program: string): Promise<void> {
  // One of its faults is enough to catch a broken build.
  while (merges < wanted && (broken === undefined || violations.total === 0)) {
    worlds += 1;
    const seed = worlds + (process.env["SYNC_SEED"] ? Number(process.env["SYNC_SEED"]) : 0);
    const folder = join(base, `world-${seed}`);
    mkdirSync(folder);
    const clones = 2 + (seed % 2);
    try {
      const random = createRandom(seed);
      const report = await letClonesSync({
        folder,
        clones,
        merges: 60,
        steps: 600,
        kills: broken === undefined ? 12 : 50,
        random,
        program,
      });
      merges += report.merges;
      kills += report.kills;
      for (const says of checkClones(folder, clones, report)) violations.add("clones", `seed ${seed}: ${says}`);
    } catch (error) {
      violations.add("sync", `seed ${seed}: ${error instanceof Error ? error.message : error}`);
      merges += 1;
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    if (worlds % 5 === 0) console.log(`  ${merges} merges, ${kills} kills`);
  }
}

async function runBranches(at: number): Promise<void> {
  const folder = join(base, `branches-${at}`);
  makeScratchRepository(folder);
  let made = 0;
  for (let world = 1; made < wantedOfBranches / atOnce; world += 1) {
    const seed = world * atOnce + at;
    const report = await mergeBranches(folder, seed, createRandom(seed));
    made += report.merges;
    for (const says of report.violations) violations.add("branches", says);
    if (world % 10 === 0) console.log(`  ${made} merges of branches`);
  }
  console.log(`  ${made} merges of branches`);
}

try {
  const program = await bundleProgram("sync-worker", sourceOf(broken), base);
  await Promise.all(Array.from({ length: atOnce }, () => runWorlds(program)));
  console.log(`  ${merges} merges in ${worlds} worlds, ${kills} kills during a sync`);
  if (broken === undefined) await Promise.all(Array.from({ length: atOnce }, (_, at) => runBranches(at)));
} finally {
  rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
violations.print();
closeRig("rig:sync", broken, violations.total > 0);
