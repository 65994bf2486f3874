import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { closeRig, createViolations } from "./rig-report.ts";
import { prepareWorld, runCorruptions } from "./verify-run.ts";

/** HIST-4b: every one of 1,000 random corruptions of history, journal, archive and indexes is found. */
const { values } = parseArgs({ options: { long: { type: "boolean" }, seed: { type: "string" } } });
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const base = mkdtempSync(join(tmpdir(), "recollect-rig-verify-"));
const violations = createViolations();
try {
  console.log(`  the same files and bits again, in another world: --seed ${seed}`);
  const report = await runCorruptions({
    prepared: await prepareWorld(base),
    count: values.long ? 1000 : 60,
    seed,
    onDone: (done) => done % 100 === 0 && console.log(`  ${done}`),
  });
  for (const says of report.undetected) violations.add("undetected", says);
  const parts = Object.entries(report.byPart).map(([part, count]) => `${count} of ${part}`);
  console.log(`  ${report.detected} found: ${parts.join(", ")}; ${report.unused} hit bytes that nobody reads`);
} finally {
  rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
violations.print();
closeRig("rig:verify", undefined, violations.total > 0);
