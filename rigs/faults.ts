/**
 * `npm run rig:faults`: every system call of every kind of operation fails once, with every errno
 * that makes sense there, and a small disk really runs full. Left out are writes to what is no file: the
 * wake-ups of Node's event loop. Options: --long for all errnos and for faults that last, --broken NAME
 * for a sabotaged build that must be caught, --only TEXT for one case.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { faultCases } from "./faults-cases.ts";
import type { Fault } from "./faults-inject.ts";
import { createSweep, type Failure, type SweepResult } from "./faults-sweep.ts";
import { fillSmallDisks } from "./faults-tmpfs.ts";
import { sourceOf } from "./sabotage.ts";

const { values: options } = parseArgs({
  options: { long: { type: "boolean" }, broken: { type: "string" }, only: { type: "string" } },
});

/** The first errno of each call is the one of the short selection. */
const errnos: Readonly<Record<string, readonly string[]>> = {
  openat: ["EMFILE", "EACCES", "EIO", "ENOSPC", "EDQUOT", "EROFS"],
  write: ["ENOSPC", "EDQUOT", "EIO"],
  pwrite64: ["ENOSPC", "EDQUOT", "EIO"],
  fsync: ["EIO", "ENOSPC", "EDQUOT", "EROFS"],
  rename: ["EIO", "ENOSPC", "EDQUOT", "EROFS", "EACCES"],
  link: ["ENOSPC", "EDQUOT", "EIO", "EROFS", "EACCES", "EPERM", "EMLINK"],
  mkdir: ["ENOSPC", "EDQUOT", "EIO", "EROFS", "EACCES"],
  unlink: ["EIO", "EROFS", "EACCES"],
  ftruncate: ["EIO", "ENOSPC"],
};

/** Calls that the short selection leaves alone: they fail on dying disks and on network file systems. */
const rareErrnos: Readonly<Record<string, readonly string[]>> = {
  fchmod: ["EIO", "EROFS"],
  chmod: ["EIO", "EROFS"],
  utimensat: ["EIO", "EROFS"],
  pread64: ["EIO"],
  getdents64: ["EIO"],
  fcntl: ["EIO"],
  statx: ["EIO"],
  access: ["EIO"],
};

function faultsFor(long: boolean): Omit<Fault, "occurrence">[] {
  if (!long) return Object.entries(errnos).map(([call, [error = "EIO"]]) => ({ call, error }));
  const once = [...Object.entries(errnos), ...Object.entries(rareErrnos)].flatMap(([call, errors]) =>
    errors.map((error) => ({ call, error })),
  );
  const lasting = Object.entries(errnos).map(([call, [error = "EIO"]]) => ({ call, error, lasting: true }));
  return [...once, ...lasting];
}

function print({ test, fault, hit, problems, stack }: Failure): void {
  console.log(`\nFAILED ${test}: ${fault}\n  ${hit}`);
  for (const problem of problems) console.log(`  - ${problem}`);
  for (const line of stack.split("\n").filter(isOfSource)) console.log(`    ${line.trim()}`);
}

/** The frames of the store itself, and what the system said. */
function isOfSource(line: string): boolean {
  return line.startsWith("cause:") || line.includes("/backends/files/");
}

async function sweepAll(source: string, workspace: string): Promise<SweepResult> {
  const sweep = createSweep(source, workspace);
  try {
    for (const test of faultCases) {
      if (options.only && !test.name.includes(options.only)) continue;
      const [before, failed] = [sweep.result.injected, sweep.result.failures.length];
      await sweep.run(test, faultsFor(options.long === true));
      console.log(`${test.name}: ${sweep.result.injected - before} faults`);
      sweep.result.failures.slice(failed).forEach(print);
    }
  } finally {
    await sweep.end();
  }
  return sweep.result;
}

async function main(): Promise<number> {
  if (spawnSync("strace", ["-V"]).status !== 0) {
    console.log("skipped: strace is not installed (Debian: apt-get install strace).");
    return 0;
  }
  const source = sourceOf(options.broken);
  const workspace = mkdtempSync(join(tmpdir(), "recollect-faults-"));
  process.once("SIGINT", () => process.exit(130));
  process.once("exit", () => rmSync(workspace, { recursive: true, force: true }));
  const swept = await sweepAll(source, workspace);
  const disks = options.only ? undefined : await fillSmallDisks(source, workspace, options.long === true);
  const failures = [...swept.failures, ...(disks?.failures ?? [])];
  for (const failure of disks?.failures ?? []) print(failure);
  const { injected, leftOut, refused, tolerated, decidedByRecovery, leaks } = swept;
  console.log(
    `\n${injected} faults injected: ${refused} refused (${decidedByRecovery} of them decided by recovery), ${tolerated} tolerated, ${leaks.length} with a leaked descriptor. ${leftOut} more hit a wake-up of the event loop and were left out.`,
  );
  for (const leak of leaks.slice(0, 20)) console.log(`  leaked a descriptor: ${leak}`);
  if (disks) console.log(disks.summary);
  console.log(`${failures.length} failures.`);
  if (!options.broken) return failures.length === 0 ? 0 : 1;
  console.log(failures.length > 0 ? `“${options.broken}” was caught.` : `“${options.broken}” was NOT caught.`);
  return failures.length > 0 ? 0 : 1;
}

process.exitCode = await main();
