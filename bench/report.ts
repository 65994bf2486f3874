import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { isWithinLimit, type Row } from "./measurement.ts";
import { resultFolder } from "./work-folder.ts";

/** Keeps everything as JSON, and fails where that was asked for and a limit is exceeded. */
export function finish(name: string, rows: readonly Row[], { check }: { readonly check: boolean }): void {
  keepReport(name, { rows });
  if (check && rows.some((row) => isWithinLimit(row) === false)) process.exitCode = 1;
}

export function keepReport(name: string, contents: object): void {
  mkdirSync(resultFolder, { recursive: true });
  const [cpu] = cpus();
  const machine = {
    node: process.versions.node,
    platform: process.platform,
    processors: cpus().length,
    model: cpu?.model,
    load: loadavg().map((value) => Number(value.toFixed(1))),
  };
  const report = { time: new Date().toISOString(), ...machine, ...contents };
  writeFileSync(join(resultFolder, `${name}.json`), `${JSON.stringify(report, undefined, 2)}\n`);
  console.error(`Load of the machine at the end: ${machine.load.join(", ")} on ${machine.processors} processors.`);
}
