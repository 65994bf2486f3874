import { spawn } from "node:child_process";

export interface Ended {
  /** Null where it was killed, because it took too long. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
}

interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** What comes on its standard input; otherwise that is empty. */
  readonly input?: string | undefined;
}

/** Longer than any client takes here; a client that hangs is a finding, not a reason to wait. */
const patienceMs = 90_000;

export async function runToEnd(
  command: string,
  args: readonly string[],
  { input, ...options }: RunOptions,
): Promise<Ended> {
  const begun = Date.now();
  const child = spawn(command, args, { ...options, stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"] });
  child.stdin?.end(input);
  const said = { out: "", err: "" };
  child.stdout?.on("data", (data) => {
    said.out += data;
  });
  child.stderr?.on("data", (data) => {
    said.err += data;
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), patienceMs);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  return { code, ...said, ms: Date.now() - begun };
}
