import { isRecollectError } from "../../core/errors.ts";
import { type KnownWrite, timesOf, writeKnown } from "./commit-known.ts";
import type { Transaction } from "./database.ts";
import { failureOf, UnknownOutcome } from "./database-error.ts";
import { type FailedForAll, failAll } from "./fail-together.ts";
import type { GatheredWrites } from "./gather-writes.ts";
import { createGoTogether, type GoingTogether, type GoTogetherOptions } from "./go-together.ts";
import { keyIn, type Place } from "./hold-spaces.ts";
import type { HeldTogether } from "./hold-together.ts";
import { foldersOf } from "./not-a-document.ts";

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
  guess(): Guessed | undefined;
}

interface Guessed extends KnownWrite {
  tell(time: Date): void;
}

interface TurnsOptions extends GoTogetherOptions {
  readonly gathered: GatheredWrites;
}

const mostTogether = 32;
/** Of documents that are written by one statement. */
const mostBytes = 1024 * 1024;

/**
 * Whoever writes holds the space until it is durable. Those of this process who wait for it meanwhile go together, in
 * one transaction, one after the other: they wait for the disk once, and not each.
 */
export function createTurns({ gathered, ...others }: TurnsOptions): Turns {
  const busy = new Map<string, Waiting[]>();
  const { goTogether, goAlone } = createGoTogether(others);

  async function goOn(key: string, spaces: readonly string[], waiting: Waiting[]): Promise<void> {
    for (;;) {
      const next = waiting.splice(0, mostTogether);
      if (next.length === 0) break;
      const behind = waiting.length;
      const failed = await go(spaces, next);
      // They have waited as long: otherwise the last of many waits many times over.
      if (failed) failAll(waiting.splice(0, behind), failed.error);
    }
    busy.delete(key);
  }

  /**
   * Mostly nobody else was there since this process wrote or read a document, or nothing has been there at all: then one
   * round trip is enough. For the others it takes another look.
   */
  async function go(spaces: readonly string[], all: readonly Waiting[]): Promise<FailedForAll | undefined> {
    const guesses = guessesOf(all);
    if (!guesses) return goTogether(spaces, all);
    const times = await writeAsKnown(guesses).catch((error: unknown) => ({ error }));
    if ("error" in times) {
      return failureOf(times.error) === "own" ? goAlone(spaces, all) : failAll(all, times.error);
    }
    guesses.forEach((guess, at) => {
      const time = times[at];
      if (time) guess.tell(time);
    });
    const left = all.filter((_, at) => !times[at]);
    return left.length > 0 ? goTogether(spaces, left) : undefined;
  }

  async function writeAsKnown(writes: readonly [KnownWrite, ...KnownWrite[]]): Promise<readonly (Date | undefined)[]> {
    const [{ space }] = writes;
    const bytes = bytesOf(writes);
    try {
      const statement = writeKnown(writes);
      return timesOf(writes, await gathered.commit({ space, statement, documents: writes.length, bytes }));
    } catch (error) {
      if (!(error instanceof UnknownOutcome)) throw error;
      const operations = writes.map(({ operation }) => operation);
      const done = await others.settle([space], operations, error);
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

/** Undefined where somebody has to look first, at one of them or at how they concern each other. */
function guessesOf(all: readonly Waiting[]): readonly [Guessed, ...Guessed[]] | undefined {
  if (all.length > 1 && doConcernEachOther(all)) return undefined;
  const [first, ...others] = all.flatMap((one) => one.guess() ?? []);
  if (!first || others.length + 1 < all.length) return undefined;
  return others.length > 0 && bytesOf([first, ...others]) > mostBytes ? undefined : [first, ...others];
}

function bytesOf(writes: readonly KnownWrite[]): number {
  return writes.reduce((sum, { effect }) => sum + effect.after.bytes.length, 0);
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
