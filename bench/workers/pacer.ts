import { setTimeout as delay } from "node:timers/promises";
import { serveRequests } from "./worker.ts";

export interface PaceRequest {
  readonly pids: readonly number[];
  /** Which part of the time each may run. */
  readonly share: number;
  readonly ms: number;
}

const periodMs = 20;

/** Stops processes for the most part of each period, and lets them run one after the other, until the time is up. */
serveRequests<PaceRequest>(async ({ pids, share, ms }) => {
  const until = performance.now() + ms;
  const signal = (kind: NodeJS.Signals) => pids.map((pid) => process.kill(pid, kind));
  signal("SIGSTOP");
  try {
    while (performance.now() < until) {
      for (const pid of pids) {
        process.kill(pid, "SIGCONT");
        await delay(periodMs * share);
        process.kill(pid, "SIGSTOP");
        await delay(periodMs / pids.length - periodMs * share);
      }
    }
  } finally {
    signal("SIGCONT");
  }
  return "done";
});
