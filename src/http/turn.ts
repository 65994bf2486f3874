import { setImmediate } from "node:timers/promises";

/**
 * A request's turn. It is over when all that was begun in it is done, whether or not anybody still waits for the answer:
 * else those who go away would have more worked on at once than may be.
 */
export interface Turn {
  /** The turn lasts at least as long as this. */
  hold(work: Promise<unknown>): void;
  /** The same for one of several pieces of work, one after the other: one turn is no reason to do more at once. */
  inOrder<T>(work: () => Promise<T>): Promise<T>;
}

export function createTurn(leave: () => void): Turn {
  let underWay = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function hold(work: Promise<unknown>): Promise<void> {
    underWay += 1;
    await Promise.allSettled([work]);
    // What it set going without waiting for it has begun by then, and holds the turn itself.
    await setImmediate();
    underWay -= 1;
    if (underWay === 0) leave();
  }

  return {
    hold: (work) => void hold(work),
    inOrder: (work) => {
      const done = last.then(work);
      last = Promise.allSettled([done]);
      void hold(done);
      return done;
    },
  };
}
