import { type SpawnOptions, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { bin } from "./checkout.ts";

interface RawAnswer {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A server process spoken to line by line, for what a well-behaved client would never do. */
export interface RawServer {
  send(line: unknown): void;
  /** Resolves with the answer that has this id. */
  answer(id: number): Promise<RawAnswer>;
  endInput(): void;
  signal(name: NodeJS.Signals): void;
  /** Every line of stdout and the exit code, once the process has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly lines: readonly string[] }>;
}

/** For the memory files of one agent alone. */
export function startRawServer(folder: string, agentId: string): RawServer {
  return startRaw(["--tools", "agent", "--agent-id", agentId, "--app-cache-dir", folder]);
}

/** Any server: `start-mcp-server` with these flags. */
export function startRaw(args: readonly string[], place: Pick<SpawnOptions, "cwd" | "env"> = {}): RawServer {
  const child = spawn(process.execPath, [bin, "start-mcp-server", ...args], {
    ...place,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const lines: string[] = [];
  const waiting = new Map<number, (answer: RawAnswer) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    const answer = JSON.parse(line) as RawAnswer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  return {
    send: (line) => child.stdin.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`),
    answer: (id) => new Promise((resolve) => waiting.set(id, resolve)),
    endInput: () => child.stdin.end(),
    signal: (name) => void child.kill(name),
    ended: new Promise((resolve) => child.once("close", (code) => resolve({ code, lines }))),
  };
}

export const request = (id: number, method: string, params: Record<string, unknown> = {}) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

export const greeting = (id: number) =>
  request(id, "initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "raw-test", version: "1.0.0" },
  });
