import { setImmediate } from "node:timers/promises";
import type { Deciding, Decision, HeldCommits } from "./commit-held.ts";
import { failureOf, UnknownOutcome } from "./database-error.ts";
import { type FailedForAll, failAll } from "./fail-batch.ts";
import { type Attempt, attemptsOf, type GuessedWrite, writeGuessed } from "./guessed-write.ts";
import type { Held } from "./hold-spaces.ts";
import type { Kept } from "./kept-document.ts";
import { createNearPlaces, type Place } from "./place.ts";
import type { SettleDoubt } from "./settle-doubt.ts";
import type { WriteLanes } from "./write-lanes.ts";

/** What somebody wants to do in some spaces. Neither way asks the database: that is done for all who wait. */
interface Turn<Result> {
  /** The documents that it looks at, and may change. */
  readonly places: readonly Place[];
  /** What it writes if everything is as this process knows it; undefined where that is not to be guessed. */
  guess(): Guess<Result> | undefined;
  /** What it does with what is there. Throws where that is refused. */
  decide(held: Held): Decision<Result>;
}

export interface Guess<Result> extends GuessedWrite {
  /** What is there instead of what was believed: the next guess goes by that. */
  learn(found: Kept): void;
  /** What came of it, by when it was done. */
  done(time: Date): Result;
}

export interface Turns {
  take<Result>(spaces: readonly string[], turn: Turn<Result>): Promise<Result>;
}

/** One who waits; `done` tells it. */
interface Waiting extends Deciding {
  guess(): Guess<void> | undefined;
}

interface TurnsOptions {
  readonly lanes: WriteLanes;
  readonly held: HeldCommits;
  readonly settle: SettleDoubt;
}

const mostTogether = 32;
/** Of documents that are written by one statement. */
const mostBytes = 1024 * 1024;

/**
 * Whoever writes holds the space until it is durable. Those of this process who wait for it meanwhile go together, in
 * one transaction, one after the other: they wait for the disk once, and not each.
 */
export function createTurns({ lanes, held, settle }: TurnsOptions): Turns {
  const busy = new Map<string, Waiting[]>();

  async function goOn(key: string, spaces: readonly string[], waiting: Waiting[]): Promise<void> {
    for (let next = waiting.splice(0, mostTogether); next.length > 0; next = waiting.splice(0, mostTogether)) {
      const behind = waiting.length;
      const failed = await go(spaces, next);
      // They have waited as long: otherwise the last of many waits many times over.
      if (failed) failAll(waiting.splice(0, behind), failed.error);
      // Those who were just answered together also come again together.
      await setImmediate();
    }
    busy.delete(key);
  }

  /**
   * Mostly nobody else was there since this process wrote or read a document, or nothing has been there at all: then one
   * round trip is enough. Who was mistaken is told what is there, and guesses once more. For the others it takes another
   * look.
   */
  async function go(
    spaces: readonly string[],
    all: readonly Waiting[],
    isLearned = false,
  ): Promise<FailedForAll | undefined> {
    const guesses = guessesOf(all);
    if (!guesses) return held.together(spaces, all);
    const attempts = await writeAsGuessed(guesses).catch((error: unknown) => ({ error }));
    if ("error" in attempts) {
      return failureOf(attempts.error) === "own" ? held.eachAlone(spaces, all) : failAll(all, attempts.error);
    }
    guesses.forEach((guess, at) => {
      const attempt = attempts[at];
      if (attempt?.kind === "written") guess.done(attempt.time);
      if (attempt?.kind === "mistaken") guess.learn(attempt.found);
    });
    const left = all.filter((_, at) => attempts[at]?.kind !== "written");
    if (left.length === 0) return undefined;
    const isMistaken = attempts.every(({ kind }) => kind !== "unwritten");
    return isMistaken && !isLearned ? go(spaces, left, true) : held.together(spaces, left);
  }

  async function writeAsGuessed(writes: readonly [GuessedWrite, ...GuessedWrite[]]): Promise<readonly Attempt[]> {
    const [{ space }] = writes;
    const statement = writeGuessed(writes);
    try {
      const rows = await lanes.commit({ space, statement, documents: writes.length, bytes: bytesOf(writes) });
      return attemptsOf(writes, rows);
    } catch (error) {
      if (!(error instanceof UnknownOutcome)) throw error;
      const operations = writes.map(({ operation }) => operation);
      const done = await settle([space], operations, error);
      return operations.map((operation) => {
        const time = done.get(operation);
        return time ? { kind: "written", time } : { kind: "unwritten" };
      });
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
function guessesOf(all: readonly Waiting[]): readonly [Guess<void>, ...Guess<void>[]] | undefined {
  if (areNearEachOther(all)) return undefined;
  const [first, ...others] = all.flatMap((one) => one.guess() ?? []);
  if (!first || others.length + 1 < all.length) return undefined;
  return others.length > 0 && bytesOf([first, ...others]) > mostBytes ? undefined : [first, ...others];
}

function bytesOf(writes: readonly GuessedWrite[]): number {
  return writes.reduce((sum, { effect }) => sum + effect.after.bytes.length, 0);
}

function areNearEachOther(all: readonly Waiting[]): boolean {
  const before = createNearPlaces();
  return all.some(({ places }) => {
    const isNear = before.isNear(places);
    before.add(places);
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
      return guess && { ...guess, done: (time) => resolve(guess.done(time)) };
    },
    decide: (held) => {
      try {
        const decision = turn.decide(held);
        return { ...decision, done: () => resolve(decision.done()) };
      } catch (error) {
        return { changed: [], done: () => reject(error) };
      }
    },
    fail: reject,
  };
}
