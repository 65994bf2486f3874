import { spawn } from "node:child_process";
import { buffer } from "node:stream/consumers";
import { runCli } from "../../src/cli/main.ts";
import type { Io } from "../../src/cli/output.ts";
import { bin } from "./checkout.ts";

export interface CliResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The command line inside this process: quick enough for tables of hundreds of rows. */
export async function cli(args: readonly string[], input?: string | Buffer, place?: Io["place"]): Promise<CliResult> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCli(args, {
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    terminal: false,
    ...(place ? { place } : {}),
    readInput: async () => (input === undefined ? undefined : Buffer.from(input)),
  });
  return { code, out: out.join(""), err: err.join("") };
}

export interface ProcessOptions {
  readonly input?: string | Buffer;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** The command line as a user starts it, with nothing of the caller's own settings. */
export function cliProcess(args: readonly string[], options: ProcessOptions = {}): Promise<CliResult> {
  return runProcess(process.execPath, [bin, ...args], options);
}

export async function runProcess(
  command: string,
  args: readonly string[],
  { input = "", env, cwd }: ProcessOptions = {},
): Promise<CliResult> {
  const child = spawn(command, args, { cwd, env: { ...withoutSettings(), ...env }, stdio: "pipe" });
  // A process that ends without reading its input closes the pipe; that is its right.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const closed = new Promise<number>((resolve, reject) => {
    child.once("close", (code) => resolve(code ?? -1)).once("error", reject);
  });
  const [out, err, code] = await Promise.all([buffer(child.stdout), buffer(child.stderr), closed]);
  return { code, out: out.toString("utf8"), err: err.toString("utf8") };
}

function withoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(RECOLLECT_|VITEST|NODE_OPTIONS|NODE_COMPILE_CACHE)/.test(name)),
  );
}
