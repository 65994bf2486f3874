import type { Transaction } from "./database.ts";
import { failureOf } from "./database-error.ts";
import type { RunTransaction } from "./transactions.ts";

interface WaitingOptions {
  readonly transaction: RunTransaction;
  /** How many connections there are, and how long anybody may wait for somebody who holds a space; 0 for ever. */
  readonly connections: number;
  readonly lockTimeoutMs: number;
}

/** As `Database.transaction`; each try takes at most so long, where the database can see to that. */
type PatientTransaction = <Result>(
  spaces: readonly string[],
  work: (transaction: Transaction) => Promise<Result>,
  mostMs?: number,
) => Promise<Result>;

/** For a space that somebody holds, everybody waits at most so long at first. */
export const shortWaitMs = 250;

/**
 * Transactions that wait for who holds their spaces: for a moment first, then in a line. So spaces that are held for long
 * keep some of the connections, and never all: others want to read and write.
 */
export function waitForSpaces({ transaction, connections, lockTimeoutMs }: WaitingOptions): PatientTransaction {
  const line = createWaitingLine(Math.max(1, Math.floor(connections / 2)));
  const shortMs = lockTimeoutMs > 0 ? Math.min(shortWaitMs, Math.ceil(lockTimeoutMs / 2)) : shortWaitMs;
  return async (spaces, work, mostMs) => {
    const end = performance.now() + lockTimeoutMs;
    const leftMs = () => (lockTimeoutMs > 0 ? Math.max(1, Math.ceil(end - performance.now())) : 0);
    try {
      return await transaction(spaces, work, shortMs, mostMs);
    } catch (error) {
      if (failureOf(error) !== "held") throw error;
      const leave = await line.enter(leftMs());
      if (!leave) throw error;
      try {
        return await transaction(spaces, work, leftMs(), mostMs);
      } finally {
        leave();
      }
    }
  };
}

/** A line of those who may keep a connection for long, of whom only a few do at once. */
interface WaitingLine {
  /**
   * Waits for a turn, at most so long; 0 for ever. Whoever has one says when it ends. Undefined where it did not come in
   * time.
   */
  enter(mostMs: number): Promise<(() => void) | undefined>;
}

/** In the order in which they came. */
export function createWaitingLine(atOnce: number): WaitingLine {
  const line = new Set<(isCalled: boolean) => void>();
  let inside = 0;

  function called(mostMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = (isCalled: boolean) => {
        clearTimeout(timer);
        line.delete(leave);
        resolve(isCalled);
      };
      const timer = mostMs > 0 ? setTimeout(leave, mostMs, false) : undefined;
      line.add(leave);
    });
  }

  /** Whoever leaves gives the place to the next in line. */
  function leave(): void {
    const [next] = line;
    if (next) next(true);
    else inside -= 1;
  }

  return {
    enter: async (mostMs) => {
      if (inside < atOnce) inside += 1;
      else if (!(await called(mostMs))) return undefined;
      return leave;
    },
  };
}
