// How long the way of a request through the sources is: files, functions, resolutions of an address (HOUSE: walk budgets).
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { withWorkFolder } from "../bench/work-folder.ts";
import { functionsOf, type Request, walkAll } from "./walk/walks.ts";

const { values } = parseArgs({
  options: {
    /** Fails where a walk is longer than its ceiling. */
    check: { type: "boolean", default: false },
    /** Makes what was measured the new ceilings. */
    write: { type: "boolean", default: false },
    /** Prints the functions of this walk. */
    show: { type: "string" },
  },
});

interface Lengths {
  readonly files: number;
  readonly functions: number;
  /** How often an address was parsed or its owner looked for, for each address of the request. */
  readonly resolutions: number;
  readonly parses: number;
}

/** What finds out where an address lies, and what checks the path of one. */
const [resolves, parses] = [/^backends\/\S+ resolve@/, / parseExistingPath@/];
const ceilingsFile = new URL("walk/ceilings.json", import.meta.url);

const kinds = ["files", "functions", "resolutions", "parses"] as const;
/** Files that a process may pass while it answers, for something else, such as what it was told of a watched folder. */
const besideFiles = 5;
const ceilings = JSON.parse(readFileSync(ceilingsFile, "utf8")) as Readonly<Record<string, Lengths>>;
const requests = await withWorkFolder((folder) => walkAll(folder, (one) => !values.write && !isLonger(one)));
for (const request of requests) {
  const lengths = measure(request);
  const ceiling = ceilings[request.name];
  const shown = kinds.map((kind) => `${kind} ${lengths[kind]}${ceiling ? ` of ${ceiling[kind]}` : ""}`).join(", ");
  console.log(`${isLonger(request) ? "✗" : "✓"} ${request.name}: ${shown}`);
  if (values.show === request.name) show(request);
}
if (values.write) {
  const measured = Object.fromEntries(requests.map((request) => [request.name, measure(request)]));
  writeFileSync(ceilingsFile, `${JSON.stringify(measured, null, 2)}\n`);
}
// At once: what ends the database at the end of a process would end this one with 0.
process.exit(values.check && requests.some(isLonger) ? 1 : 0);

function isLonger(request: Request): boolean {
  const [lengths, ceiling] = [measure(request), ceilings[request.name]];
  if (ceiling === undefined || lengths.files > ceiling.files + besideFiles) return true;
  return lengths.resolutions > ceiling.resolutions || lengths.parses > ceiling.parses;
}

function measure({ walk, addresses }: Request): Lengths {
  const calls = [...walk.files].flatMap(([file, functions]) =>
    [...functions].map(([name, count]) => [`${file} ${name}`, count] as const),
  );
  const perAddress = (pattern: RegExp) =>
    Math.ceil(calls.filter(([name]) => pattern.test(name)).reduce((sum, [, count]) => sum + count, 0) / addresses);
  return {
    files: walk.files.size,
    functions: functionsOf(walk),
    resolutions: perAddress(resolves),
    parses: perAddress(parses),
  };
}

function show({ walk }: Request): void {
  for (const [file, functions] of [...walk.files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(
      `    ${file}: ${[...functions].map(([name, count]) => `${name.replace(/@.*/, "")} ${count}×`).join(", ")}`,
    );
  }
}
