import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { repository } from "./library.ts";
import { isWithinLimit, type Measurement, type Row } from "./measurement.ts";
import { createPeerInstaller } from "./peers/install.ts";
import { printTable } from "./table.ts";
import { resultFolder } from "./work-folder.ts";

// What is measured is what users run, so it must be built before a measurement loads it.
if (!existsSync(join(repository, "dist", "index.js"))) {
  execFileSync("npm", ["run", "build"], { cwd: repository, stdio: "inherit" });
}

const all: readonly Measurement[] = [
  (await import("./measurements/write.ts")).write,
  (await import("./measurements/read.ts")).read,
  (await import("./measurements/contention.ts")).contention,
  (await import("./measurements/hand-over.ts")).handOver,
  (await import("./measurements/store-entry.ts")).storeEntry,
  (await import("./measurements/guard.ts")).guard,
  (await import("./measurements/start-up.ts")).startUp,
  (await import("./measurements/shared-store.ts")).sharedStore,
  (await import("./measurements/list-memories.ts")).listMemories,
  (await import("./measurements/http.ts")).http,
  (await import("./measurements/paint.ts")).paint,
  (await import("./measurements/postgres.ts")).postgres,
];

const { positionals, values } = parseArgs({ allowPositionals: true, options: { check: { type: "boolean" } } });
const unknown = positionals.filter((name) => !all.some((measurement) => measurement.name === name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}. Measurements: ${all.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}

const context = { peers: createPeerInstaller() };
const rows: Row[] = [];
let failed = false;
for (const measurement of all) {
  if (positionals.length > 0 && !positionals.includes(measurement.name)) continue;
  console.error(`Measuring: ${measurement.name} …`);
  try {
    rows.push(...(await measurement.run(context)));
  } catch (error) {
    failed = true;
    console.error(`${measurement.name} could not be measured:`, error);
  }
}

printTable(rows);
mkdirSync(resultFolder, { recursive: true });
const machine = { node: process.versions.node, platform: process.platform, processors: cpus().length };
const report = { time: new Date().toISOString(), ...machine, rows };
writeFileSync(join(resultFolder, "latest.json"), `${JSON.stringify(report, undefined, 2)}\n`);

const exceeded = rows.some((row) => isWithinLimit(row) === false);
// At once: what ends the database at the end of a process would end this one with 0.
process.exit(failed || (values.check && exceeded) ? 1 : 0);
