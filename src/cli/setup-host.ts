import { createRequire } from "node:module";
import { homedir } from "node:os";
import { delimiter, dirname } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Surroundings } from "../index.ts";
import type { Io } from "./output.ts";

/** What `init` and `uninstall` need of the machine and of the person before it; tests give their own. */
export interface SetupHost {
  readonly surroundings: Surroundings;
  readonly nodeVersion: string;
  readonly colour: boolean;
  /** Asks a person; absent where nobody can answer. */
  readonly confirm?: (question: string) => Promise<boolean>;
}

export function processHost(io: Io): SetupHost {
  const { env } = process;
  return {
    surroundings: {
      cwd: process.cwd(),
      home: homedir(),
      platform: process.platform,
      searchPath: (env["PATH"] ?? "").split(delimiter),
      // Resolved at run time, so that the bundle and the plain build find the same folder.
      packageFolder: dirname(createRequire(import.meta.url).resolve("recollect/package.json")),
    },
    nodeVersion: process.versions.node,
    colour: io.terminal && !env["NO_COLOR"] && env["TERM"] !== "dumb",
    ...(io.terminal && process.stdin.isTTY ? { confirm: askOnTerminal } : {}),
  };
}

/** Anything but a yes is a no, the end of input included. */
async function askOnTerminal(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<undefined>((resolve) => terminal.once("close", () => resolve(undefined)));
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), ended]);
    // Who ends the input leaves the cursor behind the question.
    if (answer === undefined) process.stdout.write("\n");
    return /^\s*y(es)?\s*$/i.test(answer ?? "");
  } finally {
    terminal.close();
  }
}
