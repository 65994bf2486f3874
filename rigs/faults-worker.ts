import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Answer, Command } from "./faults-child.ts";

/** A running child, seen from the rig. */
export interface Worker {
  readonly pid: number;
  /** Undefined where no answer came in time: the child hangs, or is dead. */
  ask(command: Command): Promise<Answer | undefined>;
  stop(): Promise<void>;
}

const patienceMs = 15_000;

export function startWorker(source: string): Worker {
  const child = spawn(process.execPath, [join(import.meta.dirname, "faults-child.ts"), source], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.stdin.on("error", () => {
    // The child was killed; the missing answer says so.
  });
  if (child.pid === undefined) throw new Error("the child could not be started");
  return {
    pid: child.pid,
    ask: async (command) => {
      child.stdin.write(`${JSON.stringify(command)}\n`);
      const timer = Promise.withResolvers<undefined>();
      const timeout = setTimeout(() => timer.resolve(undefined), patienceMs);
      const line = await Promise.race([lines.next(), timer.promise]);
      clearTimeout(timeout);
      return line === undefined || line.done ? undefined : (JSON.parse(line.value) as Answer);
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}
