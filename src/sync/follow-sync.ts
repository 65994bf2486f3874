import type { Log } from "../kernel/log.ts";
import type { Sync } from "./sync.ts";

const graceMs = 2000;

export const syncStrategies = ["manual", "on_write", "interval"] as const;
export type SyncStrategy = (typeof syncStrategies)[number];

/** Syncs by itself, never before a write was acknowledged. */
export interface SyncFollower {
  /** Told of each write, after it was acknowledged. */
  written(): void;
  /** Sends what is left, and ends. */
  close(): Promise<void>;
}

export interface FollowSyncOptions {
  readonly sync: Pick<Sync, "run">;
  readonly strategy: SyncStrategy;
  readonly intervalMs: number;
  /** From when on an attempt makes sense, after others failed. */
  readonly nextAttempt: () => number;
  readonly now: () => number;
  readonly log: Log;
  /** Whether this process stays; one that does not syncs once, at its end. */
  readonly stays: boolean;
  /** How long after a write; more writes in that time go with it. */
  readonly delayMs?: number;
}

/** At the start it takes over what others did; a failure is logged, kept in the status, and tried again after a pause. */
export function followSync(options: FollowSyncOptions): SyncFollower {
  const { sync, strategy, intervalMs, nextAttempt, now, log, stays, delayMs = 2000 } = options;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let [isClosed, isWritten] = [false, false];
  const stop = new AbortController();

  async function attempt(): Promise<void> {
    isWritten = false;
    try {
      const { conflicts } = await sync.run({ signal: stop.signal });
      for (const { kind, path } of conflicts) log("warning", "sync", { message: "Look at this conflict.", kind, path });
    } catch (error) {
      log("warning", "sync", { message: error instanceof Error ? error.message : String(error) });
      if (strategy === "on_write") isWritten = true;
    }
    if (strategy === "interval") schedule(intervalMs);
    else if (isWritten) schedule(delayMs);
  }

  function schedule(afterMs: number): void {
    if (timer !== undefined || isClosed || !stays) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        running = running.then(attempt);
      },
      Math.max(afterMs, nextAttempt() - now()),
    );
    // Nobody is kept alive by it: what is not sent now is sent by whoever comes next.
    timer.unref();
  }

  if (strategy !== "manual") schedule(0);
  return {
    written: () => {
      if (strategy !== "on_write") return;
      isWritten = true;
      schedule(delayMs);
    },
    close: async () => {
      clearTimeout(timer);
      isClosed = true;
      // A remote that hangs keeps nobody from ending.
      const grace = setTimeout(() => stop.abort(), graceMs);
      await running.finally(() => clearTimeout(grace));
      if (isWritten && !stop.signal.aborted && nextAttempt() <= now()) await attempt();
    },
  };
}
