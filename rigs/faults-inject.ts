import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";

/** What strace does to one system call of the child, counted from the moment it is attached. */
export interface Fault {
  readonly call: string;
  /** An errno, or KILL for a process that dies in front of the call. */
  readonly error: string;
  readonly occurrence: number;
  /** The fault lasts until strace is gone, as a disk does that has become read-only. */
  readonly lasting?: boolean;
}

/**
 * Whether a call, as strace printed it, was a write to what is no file: Node's event loop wakes itself up by one to an
 * eventfd, which no disk can fail, and the process aborts where it does. That says nothing about a store, which writes
 * to files alone. Other calls count whatever they are on: a store looks at all that is open.
 */
export function isWakeUp(hit: string): boolean {
  return /^write\(\d+<(?!\/)/.test(hit);
}

export interface Injection {
  /** Takes strace away from the child and says which calls were hit; none where the child made fewer. */
  end(): Promise<readonly string[]>;
}

/**
 * Attached while the child waits for a command, so that neither its start-up nor its modules count,
 * and without -f, so that only the thread that performs the operation is hit.
 */
export async function inject(pid: number, fault: Fault, log: string): Promise<Injection> {
  const how = fault.error === "KILL" ? "signal=KILL" : `error=${fault.error}`;
  const when = `${fault.occurrence}${fault.lasting ? "+" : ""}`;
  const rule = `inject=${fault.call}:${how}:when=${when}`;
  const strace = spawn("strace", ["-p", String(pid), "-o", log, "-y", "-e", `trace=${fault.call}`, "-e", rule], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(strace, "exit");
  let said = "";
  while (!said.includes("attached")) {
    const event = await Promise.race([once(strace.stderr, "data"), ended]);
    if (strace.exitCode !== null) throw new Error(`strace could not attach: ${said}`);
    said += String(event[0]);
  }
  return {
    end: async () => {
      strace.kill("SIGINT");
      await ended;
      const lines = readFileSync(log, "utf8").split("\n");
      rmSync(log);
      if (fault.error === "KILL") return lines.filter((line) => line.includes("killed by SIGKILL"));
      return lines.filter((line) => line.includes("(INJECTED)"));
    },
  };
}
