import { setImmediate } from "node:timers/promises";

/**
 * Lets in who arrives before work goes on. The system hands out one new connection for each turn of the event loop, and
 * work keeps that from turning: without this they would wait where nobody counts them, nor tells them that there is too
 * much to do.
 */
export interface Arrivals {
  /** A new connection; what comes by those that there are is read in any turn. */
  arrived(): void;
  /** The event loop has turned and nobody came, or came for too long. One after the other: each begins in a turn of its own. */
  settled(): Promise<void>;
}

/** Who keeps coming must not keep everybody else from their work. */
const mostMs = 50;

export function createArrivals(): Arrivals {
  let count = 0;
  let last: Promise<void> = Promise.resolve();

  async function settle(): Promise<void> {
    const until = performance.now() + mostMs;
    for (let seen = -1; seen !== count && performance.now() < until; ) {
      seen = count;
      await setImmediate();
    }
  }

  return {
    arrived: () => {
      count += 1;
    },
    settled: () => {
      last = last.then(settle);
      return last;
    },
  };
}
