import { RecollectError } from "../../kernel/errors.ts";
import type { Database, Statement, Transaction } from "./database.ts";
import { failureOf, UnknownOutcome } from "./database-error.ts";
import { eachAlone, type FailedForAll, type Failing, failAll } from "./fail-batch.ts";
import { type Held, holdSpaces } from "./hold-spaces.ts";
import type { KnownDocuments } from "./known-documents.ts";
import { createNearPlaces, type Place } from "./place.ts";
import type { SettleDoubt } from "./settle-doubt.ts";
import type { Writes } from "./write-effects.ts";

/** What somebody does with documents as they are while their spaces are held. */
export interface Decision<Result> {
  /** Nothing is written without. */
  readonly writes?: Writes;
  /** Where it changes something, in the order of its changes. */
  readonly changed: readonly Place[];
  /** What came of it, once it is committed. */
  done(): Result;
}

/** One of those who go in one transaction. */
export interface Deciding extends Failing {
  readonly places: readonly Place[];
  /** `done` tells it. */
  decide(held: Held): Decision<void>;
}

interface HeldCommitOptions {
  readonly transaction: Database["transaction"];
  readonly settle: SettleDoubt;
  readonly known: Pick<KnownDocuments, "setDoubts">;
}

/** Everybody has been told when it ends. */
type CommitHeld = (spaces: readonly string[], all: readonly Deciding[]) => Promise<FailedForAll | undefined>;

export interface HeldCommits {
  /** In one transaction, one after the other; each in its own where that may be the fault of one of them. */
  readonly together: CommitHeld;
  readonly eachAlone: CommitHeld;
}

/** What became of a transaction. */
type Ended =
  | { readonly kind: "committed"; readonly decisions: readonly Decision<void>[] }
  | { readonly kind: "undone" | ReturnType<typeof failureOf>; readonly error: unknown };

/** How often it is done where it turned out that the connection was lost before anything was committed. */
const mostTimes = 3;

/** Holds the spaces, looks at the documents, and lets each of several writers decide what becomes of them. */
export function createHeldCommits({ transaction, settle, known }: HeldCommitOptions): HeldCommits {
  async function tryOnce(spaces: readonly string[], all: readonly Deciding[]): Promise<Ended> {
    let decisions: readonly Decision<void>[] = [];
    try {
      await transaction(spaces, async (one) => {
        const decided = await decideAll(one, all, (held) => {
          for (const [space, doubts] of held.doubts) known.setDoubts(space, doubts);
        });
        decisions = decided.decisions;
        if (decisions.some(({ writes }) => writes)) await one.commit(...decided.unsent);
      });
      return { kind: "committed", decisions };
    } catch (error) {
      if (!(error instanceof UnknownOutcome)) return { kind: failureOf(error), error };
      // All of it is there, or nothing: so one operation tells of all.
      const operation = decisions.findLast(({ writes }) => writes)?.writes?.operation ?? "";
      const done = await settle(spaces, [operation], error).catch(() => undefined);
      if (!done) return { kind: "unknown", error };
      return done.size > 0 ? { kind: "committed", decisions } : { kind: "undone", error };
    }
  }

  async function together(
    spaces: readonly string[],
    all: readonly Deciding[],
    time = 1,
  ): Promise<FailedForAll | undefined> {
    const ended = await tryOnce(spaces, all);
    switch (ended.kind) {
      case "committed":
        for (const { done } of ended.decisions) done();
        return undefined;
      case "undone":
        if (time < mostTimes) return together(spaces, all, time + 1);
        return failAll(all, notDone(ended.error));
      case "own":
        return all.length > 1 ? alone(spaces, all) : failAll(all, ended.error);
      default:
        return failAll(all, ended.error);
    }
  }

  const alone: CommitHeld = (spaces, all) => eachAlone(all, (one) => together(spaces, one));

  return { together: (spaces, all) => together(spaces, all), eachAlone: alone };
}

/** One look for all of them, and another one only for who is about what was changed by one before. */
async function decideAll(
  transaction: Transaction,
  all: readonly Deciding[],
  seen: (held: Held) => void,
): Promise<{ readonly decisions: readonly Decision<void>[]; readonly unsent: readonly Statement[] }> {
  let held = await holdSpaces(
    transaction,
    all.flatMap(({ places }) => places),
  );
  seen(held);
  const last = new Map(held.last);
  const changed = createNearPlaces();
  const decisions: Decision<void>[] = [];
  let unsent: Statement[] = [];
  for (const one of all) {
    let now: Held = { ...held, last };
    if (changed.isNear(one.places)) {
      now = await holdSpaces(transaction, one.places, unsent);
      unsent = [];
      // Nor is anything after it before it.
      held = { ...held, time: now.time };
    }
    const decision = one.decide(now);
    decisions.push(decision);
    unsent.push(...(decision.writes?.statements ?? []));
    changed.add(decision.changed);
    for (const { space } of decision.changed) last.set(space, (last.get(space) ?? 0n) + 1n);
  }
  return { decisions, unsent };
}

function notDone(cause: unknown): RecollectError {
  const says = "Nothing was written: the database cannot be reached for long enough. Try again.";
  return new RecollectError("STORAGE_FAILED", says, { data: { reason: "unreachable" }, cause });
}
