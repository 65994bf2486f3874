// Real clients from npm with a scripted model on loopback, in a network namespace that has nothing else (USE-10).
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { assertions } from "./clients/assertions.ts";
import { programOf } from "./clients/broken-builds.ts";
import { clientIds, clientRows } from "./clients/client-rows.ts";
import { enterEmptyNetwork, installClients, isIsolated } from "./clients/surroundings.ts";
import { createMatrix, type Matrix } from "./clients/table.ts";
import { otherThan, tryAssertion } from "./clients/try-assertion.ts";
import { closeRig } from "./rig-report.ts";

const usage = `Usage: npm run rig:clients -- [options]

  --only CLIENT       one of ${clientIds.join(", ")}; may be repeated
  --assert NAME       only this assertion; may be repeated: ${assertions.map(({ id }) => id).join(", ")}
  --prefix FOLDER     where the clients are installed, or will be
  --broken NAME       a broken build, on which the assertions that are about it must fail:
                      ${[...new Set(assertions.flatMap(({ broken }) => Object.keys(broken)))].join(", ")}
`;

const values = readArguments();
const prefix = values.prefix ?? fileURLToPath(new URL("../.rig/clients", import.meta.url));
const rows = clientRows.filter(({ id }) => values.only?.includes(id) ?? true);
if (isIsolated()) await tryAll();
else {
  // One assertion goes on in another client.
  installClients([...new Set([...rows, ...rows.map(otherThan)])], prefix);
  enterEmptyNetwork(fileURLToPath(import.meta.url));
}

async function tryAll(): Promise<never> {
  const { broken } = values;
  const tools = { prefix, program: programOf(broken) };
  const matrix = createMatrix();
  let untried = 0;
  for (const { assertion, row } of wanted(matrix)) {
    const begun = Date.now();
    const { says, wasTried } = await tryAssertion(assertion, row, tools);
    if (!wasTried) untried += 1;
    matrix.note(assertion.id, row.id, says === undefined);
    const seconds = Math.round((Date.now() - begun) / 1000);
    console.log(`${says === undefined ? "✓" : "✗"} ${row.id}, ${assertion.id}: ${assertion.name} (${seconds} s)`);
    if (says !== undefined) console.log(`    ${says.slice(0, 600)}`);
  }
  matrix.print();
  // A broken build counts as caught where every assertion about it failed, for every client that it is broken for.
  const isCaught = matrix.failed > 0 && matrix.passed === 0 && untried === 0;
  return closeRig("rig:clients", broken, broken === undefined ? matrix.failed > 0 : isCaught);
}

/** What the table asks, as far as the arguments want it. */
function wanted(matrix: Matrix) {
  const { assert, broken } = values;
  return assertions
    .filter(({ id }) => assert?.includes(id) ?? true)
    .flatMap((assertion) => rows.map((row) => ({ assertion, row })))
    .filter(({ assertion, row }) => matrix.not(assertion.id, row.id) === undefined)
    .filter(({ assertion, row }) => broken === undefined || assertion.broken[broken]?.includes(row.id));
}

function readArguments() {
  const text = { type: "string" } as const;
  const several = { type: "string", multiple: true } as const;
  try {
    const options = { only: several, assert: several, prefix: text, broken: text, help: { type: "boolean" } } as const;
    const parsed = parseArgs({ options }).values;
    const unknown = parsed.assert?.find((name) => !assertions.some(({ id }) => id === name));
    if (unknown !== undefined) throw new Error(`No assertion “${unknown}”.`);
    if (!parsed.help) return parsed;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    process.exit(2);
  }
  console.log(usage);
  process.exit(0);
}
