import { RecollectError } from "../../core/errors.ts";
import type { Database, Statement, Transaction } from "./database.ts";
import { failureOf, UnknownOutcome } from "./database-error.ts";
import { eachAlone, type FailedForAll, type Failing, failAll } from "./fail-together.ts";
import type { Place } from "./hold-spaces.ts";
import { type HeldTogether, holdTogether } from "./hold-together.ts";
import type { SettleDoubt } from "./settle-doubt.ts";
import { createWaitingLine } from "./wait-in-line.ts";

/** One of those who share a transaction. */
export interface GoingTogether extends Failing {
  readonly places: readonly Place[];
  /** Throws what the database refused; otherwise how it is told once all of it is committed. */
  together(transaction: Transaction, held: HeldTogether): Promise<() => void>;
}

export interface GoTogetherOptions {
  readonly transaction: Database["transaction"];
  readonly settle: SettleDoubt;
  /** How many connections there are, and how long one may wait for somebody who holds a space; 0 for ever. */
  readonly connections: number;
  readonly lockTimeoutMs: number;
}

/** Everybody has been told when it ends. */
type Go = (spaces: readonly string[], all: readonly GoingTogether[]) => Promise<FailedForAll | undefined>;

/** What became of a transaction, and how those in it are told. */
type Ended =
  | { readonly kind: "committed"; readonly told: readonly (() => void)[] }
  | { readonly kind: "undone" | ReturnType<typeof failureOf>; readonly error: unknown };

/** How often it is done where it turned out that the connection was lost before anything was committed. */
const mostTimes = 3;
/** For a space that somebody holds, everybody waits at most so long at first. */
const shortMs = 250;

/** Holds the spaces, and does what all of them want there in one transaction, one after the other. */
export function createGoTogether({ transaction, settle, connections, lockTimeoutMs }: GoTogetherOptions): {
  readonly goTogether: Go;
  readonly goAlone: Go;
} {
  const line = createWaitingLine({ atOnce: Math.max(1, Math.floor(connections / 2)), mostMs: lockTimeoutMs });
  const short = waitAtMost(lockTimeoutMs > 0 ? Math.min(shortMs, Math.ceil(lockTimeoutMs / 2)) : shortMs);

  async function tryTogether(
    spaces: readonly string[],
    all: readonly GoingTogether[],
    before: readonly Statement[],
  ): Promise<Ended> {
    let told: (() => void)[] = [];
    let operation: string | undefined;
    try {
      await transaction(spaces, async (one) => {
        told = [];
        const { shared, end } = share(one, before, (named) => {
          operation = named;
        });
        const places = all.flatMap((going) => going.places);
        const held = await holdTogether(shared, places);
        for (const going of all) told.push(await going.together(shared, held));
        await end();
      });
      return { kind: "committed", told };
    } catch (error) {
      if (!(error instanceof UnknownOutcome)) return { kind: failureOf(error), error };
      const done =
        operation === undefined ? undefined : await settle(spaces, [operation], error).catch(() => undefined);
      if (!done) return { kind: "unknown", error };
      // All of it is there, or nothing.
      return done.size > 0 ? { kind: "committed", told } : { kind: "undone", error };
    }
  }

  /** Spaces that are held for long keep some of the connections, and never all: others want to read and write. */
  async function tryPatiently(spaces: readonly string[], all: readonly GoingTogether[]): Promise<Ended> {
    const ended = await tryTogether(spaces, all, [short]);
    if (ended.kind !== "held") return ended;
    return (await line.enter(() => tryTogether(spaces, all, []))) ?? ended;
  }

  async function goTogether(
    spaces: readonly string[],
    all: readonly GoingTogether[],
    time = 1,
  ): Promise<FailedForAll | undefined> {
    const ended = await tryPatiently(spaces, all);
    switch (ended.kind) {
      case "committed":
        for (const tell of ended.told) tell();
        return undefined;
      case "undone":
        if (time < mostTimes) return goTogether(spaces, all, time + 1);
        return failAll(all, notDone(ended.error));
      case "own":
        return all.length > 1 ? goAlone(spaces, all) : failAll(all, ended.error);
      default:
        return failAll(all, ended.error);
    }
  }

  const goAlone: Go = (spaces, all) => eachAlone(all, (alone) => goTogether(spaces, alone));

  return { goTogether: (spaces, all) => goTogether(spaces, all), goAlone };
}

function notDone(cause: unknown): RecollectError {
  const says = "Nothing was written: the database cannot be reached for long enough. Try again.";
  return new RecollectError("STORAGE_FAILED", says, { data: { reason: "unreachable" }, cause });
}

function waitAtMost(ms: number): Statement {
  return { name: "recollect wait", text: "SELECT set_config('lock_timeout', $1, true)", values: [String(ms)] };
}

/** What one commits is sent with what the next one asks, and committed with the last. */
function share(
  whole: Transaction,
  first: readonly Statement[],
  tell: (operation: string) => void,
): { readonly shared: Transaction; end(): Promise<void> } {
  const pending = [...first];
  let isChanged = false;
  return {
    shared: {
      run: async (...statements) => {
        const before = pending.splice(0);
        return (await whole.run(...before, ...statements)).slice(before.length);
      },
      commit: async (...statements) => {
        isChanged ||= statements.length > 0;
        for (const { operation } of statements) if (operation !== undefined) tell(operation);
        pending.push(...statements);
        return [];
      },
    },
    end: async () => void (isChanged && (await whole.commit(...pending))),
  };
}
