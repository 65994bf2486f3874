import type { Log } from "../kernel/log.ts";
import type { History } from "./history.ts";

/** Takes what is written over into history some time later, for a process that stays. */
export interface HistoryFollower {
  /** Told of each write, after it was acknowledged. */
  written(): void;
  /** Takes over what is left, and ends. */
  close(): Promise<void>;
}

export interface FollowOptions {
  readonly history: Pick<History, "catchUp" | "maintain">;
  readonly log: Log;
  /** How long after a write; more writes in that time go with it. */
  readonly delayMs?: number;
  /** Whether somebody waits for answers just now: they go first, for a while. */
  readonly isAsked?: () => boolean;
}

/** Short, since what is not recorded goes with its folder where that is deleted. */
const longestWaitMs = 500;

/** Begins at once with what others left. A failure is logged, and tried again with the next write. */
export function followHistory(options: FollowOptions): HistoryFollower {
  const { history, log, delayMs = 1000, isAsked = () => false } = options;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isClosed = false;

  async function take(): Promise<void> {
    try {
      await history.catchUp();
      if (!isClosed) await history.maintain();
    } catch (error) {
      log("warning", "history", { message: error instanceof Error ? error.message : String(error) });
    }
  }

  function schedule(afterMs: number, waitedMs = 0): void {
    if (timer !== undefined || isClosed) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (isAsked() && waitedMs < longestWaitMs) schedule(longestWaitMs, waitedMs + longestWaitMs);
      else running = running.then(take);
    }, afterMs);
    // Nobody is kept alive by it: what is not taken over now is taken over by whoever comes next.
    timer.unref();
  }

  schedule(0);
  return {
    written: () => schedule(delayMs),
    close: async () => {
      const hadMore = timer !== undefined;
      clearTimeout(timer);
      isClosed = true;
      await running;
      if (hadMore) await take();
    },
  };
}
