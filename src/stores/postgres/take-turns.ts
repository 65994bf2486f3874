import { isRecollectError } from "../../core/errors.ts";
import { type KnownWrite, timesOf, writeKnown } from "./commit-known.ts";
import type { Database, Transaction } from "./database.ts";
import { isLost, UnknownOutcome } from "./database-error.ts";
import type { GatheredWrites } from "./gather-writes.ts";
import { createGoTogether, type GoingTogether } from "./go-together.ts";
import { keyIn, type Place } from "./hold-spaces.ts";
import type { HeldTogether } from "./hold-together.ts";
import { foldersOf } from "./not-a-document.ts";
import type { SettleDoubt } from "./settle-doubt.ts";

/** What somebody wants to do in some spaces. */
interface Turn<Result> {
  /** The documents that it looks at, and may change. */
  readonly places: readonly Place[];
  /** How it is done at once, if everything is as this process knows it; undefined where that is not to be guessed. */
  guess(): Guess<Result> | undefined;
  /** In one transaction with others who want the same spaces. */
  together(transaction: Transaction, held: HeldTogether): Promise<Result>;
}

interface Guess<Result> extends KnownWrite {
  /** What came of it, by when it was done. */
  done(time: Date): Result;
}

export interface Turns {
  take<Result>(spaces: readonly string[], turn: Turn<Result>): Promise<Result>;
}

/** One who waits. */
interface Waiting extends GoingTogether {
  guess(): (KnownWrite & { tell(time: Date): void }) | undefined;
}

interface TurnsOptions {
  readonly transaction: Database["transaction"];
  readonly gathered: GatheredWrites;
  readonly settle: SettleDoubt;
}

const mostTogether = 32;
/** Of documents that are written by one statement. */
const mostBytes = 1024 * 1024;

/**
 * Whoever writes holds the space until it is durable. Those of this process who wait for it meanwhile go together, in
 * one transaction, one after the other: they wait for the disk once, and not each.
 */
export function createTurns({ transaction, gathered, settle }: TurnsOptions): Turns {
  const busy = new Map<string, Waiting[]>();
  const goTogether = createGoTogether({ transaction, settle });

  async function goOn(key: string, spaces: readonly string[], waiting: Waiting[]): Promise<void> {
    for (;;) {
      const next = waiting.splice(0, mostTogether);
      if (next.length === 0) break;
      const others = await goAsKnown(next);
      if (others.length > 0) await goTogether(spaces, others);
    }
    busy.delete(key);
  }

  /**
   * Mostly nobody else was there since this process wrote or read a document, or nothing has been there at all: then one
   * round trip is enough. Those for whom it takes another look are left.
   */
  async function goAsKnown(all: readonly Waiting[]): Promise<readonly Waiting[]> {
    if (all.length > 1 && doConcernEachOther(all)) return all;
    const guesses = all.flatMap((one) => one.guess() ?? []);
    const [first, ...others] = guesses;
    if (!first || guesses.length < all.length) return all;
    const bytes = guesses.reduce((sum, { effect }) => sum + effect.after.bytes.length, 0);
    if (others.length > 0 && bytes > mostBytes) return all;
    const times = await writeAsKnown([first, ...others], bytes).catch((error: unknown) => ({ error }));
    if ("error" in times) {
      if (!isLost(times.error)) return all;
      for (const one of all) one.fail(times.error);
      return [];
    }
    guesses.forEach((guess, at) => {
      const time = times[at];
      if (time) guess.tell(time);
    });
    return all.filter((_, at) => !times[at]);
  }

  async function writeAsKnown(
    writes: readonly [KnownWrite, ...KnownWrite[]],
    bytes: number,
  ): Promise<readonly (Date | undefined)[]> {
    const [{ space }] = writes;
    try {
      const statement = writeKnown(writes);
      return timesOf(writes, await gathered.commit({ space, statement, documents: writes.length, bytes }));
    } catch (error) {
      if (!(error instanceof UnknownOutcome)) throw error;
      const operations = writes.map(({ operation }) => operation);
      const done = await settle([space], operations, error);
      return operations.map((operation) => done.get(operation));
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

/** Whether two of them are about the same place, or one about a place below the other's. */
function doConcernEachOther(all: readonly Waiting[]): boolean {
  const [seen, above] = [new Set<string>(), new Set<string>()];
  return all.some(({ places }) => {
    const keys = places.map(({ space, path }) => keyIn(space, path));
    const folders = places.flatMap(({ space, path }) => foldersOf(path).map((folder) => keyIn(space, folder)));
    const isNear = keys.some((key) => seen.has(key) || above.has(key)) || folders.some((key) => seen.has(key));
    for (const key of keys) seen.add(key);
    for (const key of folders) above.add(key);
    return isNear;
  });
}

function toWaiting<Result>(
  turn: Turn<Result>,
  resolve: (result: Result) => void,
  reject: (error: unknown) => void,
): Waiting {
  return {
    places: turn.places,
    guess: () => {
      const guess = turn.guess();
      return guess && { ...guess, tell: (time) => resolve(guess.done(time)) };
    },
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
