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
}

/** What turns an address into a place. */
const resolvers = /^(ownerOf|parseExistingPath)@/;
const ceilingsFile = new URL("walk/ceilings.json", import.meta.url);

const requests = await withWorkFolder(walkAll);
const ceilings = JSON.parse(readFileSync(ceilingsFile, "utf8")) as Readonly<Record<string, Lengths>>;
let longer = 0;
for (const request of requests) {
  const lengths = measure(request);
  const ceiling = ceilings[request.name];
  const kinds = ["files", "functions", "resolutions"] as const;
  const isLonger = ceiling === undefined || kinds.some((kind) => lengths[kind] > ceiling[kind]);
  if (isLonger) longer += 1;
  const shown = kinds.map((kind) => `${kind} ${lengths[kind]}${ceiling ? ` of ${ceiling[kind]}` : ""}`).join(", ");
  console.log(`${isLonger ? "✗" : "✓"} ${request.name}: ${shown}`);
  if (values.show === request.name) show(request);
}
if (values.write) {
  const measured = Object.fromEntries(requests.map((request) => [request.name, measure(request)]));
  writeFileSync(ceilingsFile, `${JSON.stringify(measured, null, 2)}\n`);
}
process.exitCode = values.check && longer > 0 ? 1 : 0;

function measure({ walk, addresses }: Request): Lengths {
  const calls = [...walk.files.values()].flatMap((functions) => [...functions]);
  const resolved = calls.filter(([name]) => resolvers.test(name)).reduce((sum, [, count]) => sum + count, 0);
  return {
    files: walk.files.size,
    functions: functionsOf(walk),
    resolutions: Math.ceil(resolved / addresses),
  };
}

function show({ walk }: Request): void {
  for (const [file, functions] of [...walk.files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(
      `    ${file}: ${[...functions].map(([name, count]) => `${name.replace(/@.*/, "")} ${count}×`).join(", ")}`,
    );
  }
}
