import { type ChildProcess, spawn } from "node:child_process";
import { type EventEmitter, once } from "node:events";
import { fileURLToPath } from "node:url";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";

const cli = fileURLToPath(new URL("../run-cli.ts", import.meta.url));
const source = fileURLToPath(new URL("../../src", import.meta.url));

/** What one request ran through. */
export interface Walk {
  /** Files of the sources, below src/, with the functions of each and how often each was called. */
  readonly files: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Records which functions of the sources a process runs, from the outside: the process runs as it always does. */
export interface Recorder {
  /** What the process runs until the request is answered. */
  record(request: () => Promise<unknown>): Promise<Walk>;
  close(): void;
}

/** How to start the command line from its sources so that a recorder can be attached. */
export function recordedCommand(args: readonly string[], env: Readonly<Record<string, string>>) {
  return {
    command: process.execPath,
    args: ["--inspect=127.0.0.1:0", "--disable-warning=ExperimentalWarning", cli, ...args],
    env: { ...getDefaultEnvironment(), RIG_SOURCE: source, ...env },
  };
}

export function startRecorded(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const { command, args: all, env: own } = recordedCommand(args, env);
  return spawn(command, all, { env: own, stdio: ["ignore", "pipe", "pipe"] });
}

/** Attaches to the process that writes the address of its inspector to this stream. */
export async function attachRecorder(stderr: EventEmitter): Promise<Recorder> {
  const socket = new WebSocket(await addressIn(stderr));
  await once(socket, "open");
  let last = 0;
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { readonly id?: number; readonly result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  const ask = (method: string, params: object = {}) =>
    new Promise<unknown>((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  await ask("Profiler.enable");
  await ask("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return {
    record: async (request) => {
      // Taking the counts sets them to zero.
      await ask("Profiler.takePreciseCoverage");
      await request();
      return toWalk((await ask("Profiler.takePreciseCoverage")) as Coverage);
    },
    close: () => socket.close(),
  };
}

function addressIn(stderr: EventEmitter): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const address = /Debugger listening on (ws:\S+)/.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
    stderr.once("end", () => reject(new Error(`The process ended before its inspector began: ${said}`)));
  });
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

function toWalk({ result }: Coverage): Walk {
  const files = new Map<string, Map<string, number>>();
  for (const { url, functions } of result) {
    if (!url.startsWith("file://")) continue;
    const file = fileURLToPath(url);
    if (!file.startsWith(`${source}/`)) continue;
    const called = new Map<string, number>();
    for (const { functionName, ranges } of functions) {
      const [range] = ranges;
      // What begins at 0 is the module itself: to load a file is not to pass through it.
      if (!range || range.count === 0 || range.startOffset === 0) continue;
      called.set(`${functionName || "(anonymous)"}@${range.startOffset}`, range.count);
    }
    if (called.size > 0) files.set(file.slice(source.length + 1), called);
  }
  return { files };
}
