import { isRecollectError } from "../../core/errors.ts";
import type { Database, Statement, Transaction } from "./database.ts";
import { isLost } from "./database-error.ts";
import type { Place } from "./hold-spaces.ts";
import { type HeldTogether, holdTogether } from "./hold-together.ts";

/** What somebody wants to do in some spaces: by itself, or in one transaction with others who want the same spaces. */
interface Turn<Result> {
  /** The documents that it looks at, and may change. */
  readonly places: readonly Place[];
  alone(): Promise<Result>;
  together(transaction: Transaction, held: HeldTogether): Promise<Result>;
}

export interface Turns {
  take<Result>(spaces: readonly string[], turn: Turn<Result>): Promise<Result>;
}

/** One who waits. */
interface Waiting {
  readonly places: readonly Place[];
  alone(): Promise<void>;
  /** Throws what the database refused; otherwise how it is told once all of it is committed. */
  together(transaction: Transaction, held: HeldTogether): Promise<() => void>;
  fail(error: unknown): void;
}

const mostTogether = 32;

/**
 * Whoever writes holds the space until it is durable. Those of this process who wait for it meanwhile go together, in
 * one transaction, one after the other: they wait for the disk once, and not each.
 */
export function createTurns(transaction: Database["transaction"]): Turns {
  const busy = new Map<string, Waiting[]>();

  async function goOn(key: string, spaces: readonly string[], waiting: Waiting[]): Promise<void> {
    for (;;) {
      const next = waiting.splice(0, mostTogether);
      const [first] = next;
      if (!first) break;
      if (next.length === 1) await first.alone();
      else await goTogether(spaces, next);
    }
    busy.delete(key);
  }

  async function goTogether(spaces: readonly string[], all: readonly Waiting[]): Promise<void> {
    try {
      const told = await transaction(spaces, async (one) => {
        const { shared, end } = share(one);
        const places = all.flatMap((waiting) => waiting.places);
        const held = await holdTogether(shared, places);
        const outcomes: (() => void)[] = [];
        for (const waiting of all) outcomes.push(await waiting.together(shared, held));
        await end();
        return outcomes;
      });
      for (const tell of told) tell();
    } catch (error) {
      // Nobody knows what became of it, or nobody is there.
      if (isLost(error)) for (const one of all) one.fail(error);
      // Nothing was committed, for the sake of one of them perhaps.
      else for (const one of all) await one.alone();
    }
  }

  return {
    take: (spaces, turn) => {
      const key = spaces.join("\0");
      return new Promise((resolve, reject) => {
        const one = toWaiting(turn, resolve, reject);
        const waiting = busy.get(key);
        if (waiting) return void waiting.push(one);
        const fresh = [one];
        busy.set(key, fresh);
        void goOn(key, spaces, fresh);
      });
    },
  };
}

function toWaiting<Result>(
  turn: Turn<Result>,
  resolve: (result: Result) => void,
  reject: (error: unknown) => void,
): Waiting {
  return {
    places: turn.places,
    alone: () => turn.alone().then(resolve, reject),
    together: async (transaction, held) => {
      try {
        const result = await turn.together(transaction, held);
        return () => resolve(result);
      } catch (error) {
        if (!isRecollectError(error)) throw error;
        return () => reject(error);
      }
    },
    fail: reject,
  };
}

/** What one commits is sent with what the next one asks, and committed with the last. */
function share(whole: Transaction): { readonly shared: Transaction; end(): Promise<void> } {
  const pending: Statement[] = [];
  let isChanged = false;
  return {
    shared: {
      run: async (...statements) => {
        const before = pending.splice(0);
        return (await whole.run(...before, ...statements)).slice(before.length);
      },
      commit: async (...statements) => {
        isChanged ||= statements.length > 0;
        pending.push(...statements);
        return [];
      },
    },
    end: async () => void (isChanged && (await whole.commit(...pending))),
  };
}
