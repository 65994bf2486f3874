import { type ChildProcess, spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";

export interface ProgramStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Whether `command` is a line for the shell, as that of a hook is. */
  readonly shell?: boolean;
}

export interface Program {
  write(text: string): void;
  /** Nothing more is coming. */
  endInput(): void;
  /** The lines of its output, without the empty ones. Never longer than what a client would read. */
  onLine(hear: (line: string) => void): void;
  /** How it ended, or why it did not start; never rejects. */
  readonly ended: Promise<ProgramEnd>;
  /** The line of its error output that says most. */
  complaint(): string;
  /** Ends it and what it started; waits until it is gone. */
  stop(): Promise<void>;
}

export type ProgramEnd =
  | { readonly kind: "ended"; readonly code: number | null; readonly signal: string | null }
  | { readonly kind: "not started"; readonly code: string }
  | { readonly kind: "too much" };

/** A program that prints more than this says nothing that a client could use. */
const mostOutput = 4 * 1024 * 1024;
const keptComplaint = 8 * 1024;
const graceMs = 500;

/** Starts what a client would start, as a group of its own, so that what it starts in turn ends with it. */
export function startProgram({ command, args, env, cwd, shell = false }: ProgramStart): Program {
  const isWindows = process.platform === "win32";
  const child = spawn(command, args, { cwd, env, shell, stdio: "pipe", detached: !isWindows, windowsHide: true });
  const listeners: ((line: string) => void)[] = [];
  const end = Promise.withResolvers<ProgramEnd>();
  const gone = new Promise<void>((resolve) => {
    child.once("exit", (code, signal) => {
      // What a process printed last is read before its end is told.
      const told = setTimeout(() => end.resolve({ kind: "ended", code, signal }), graceMs);
      child.once("close", () => {
        clearTimeout(told);
        end.resolve({ kind: "ended", code, signal });
      });
      resolve();
    });
    child.once("error", (error: NodeJS.ErrnoException) => {
      end.resolve({ kind: "not started", code: error.code ?? error.message });
      if (child.pid === undefined) resolve();
    });
  });
  // It may end without reading what it was sent.
  child.stdin.on("error", () => {});
  const kill = () => killGroup(child, isWindows);
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-keptComplaint);
  });
  readLines(
    child,
    (line) => {
      for (const hear of listeners) hear(line);
    },
    () => {
      end.resolve({ kind: "too much" });
      kill();
    },
  );
  return {
    write: (text) => child.stdin.write(text),
    endInput: () => child.stdin.end(),
    onLine: (hear) => listeners.push(hear),
    ended: end.promise,
    complaint: () => complaintIn(complaint),
    stop: async () => {
      child.stdin.end();
      const patience = setTimeout(kill, graceMs);
      await gone;
      clearTimeout(patience);
      // What it started may have outlived it.
      kill();
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
    },
  };
}

function readLines({ stdout }: ChildProcess, hear: (line: string) => void, tooMuch: () => void): void {
  const decoder = new StringDecoder("utf8");
  let [rest, bytes] = ["", 0];
  stdout?.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostOutput) {
      stdout.destroy();
      return tooMuch();
    }
    const lines = (rest + decoder.write(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") hear(line);
  });
  stdout?.once("end", () => {
    if (rest.trim() !== "") hear(rest);
  });
}

function killGroup(child: ChildProcess, isWindows: boolean): void {
  if (child.pid === undefined) return;
  try {
    if (isWindows) child.kill();
    else process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH" && (error as NodeJS.ErrnoException).code !== "EPERM")
      throw error;
  }
}

/** The first line that names an error, else the last one; a stack below it helps nobody here. */
function complaintIn(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const said = lines.filter((line) => line !== "");
  const line = said.find(namesError) ?? said.at(-1) ?? "";
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

export function namesError(line: string): boolean {
  return /error|cannot|needs|not found|not built|denied/i.test(line);
}
