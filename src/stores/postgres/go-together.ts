import { RecollectError } from "../../core/errors.ts";
import type { Database, Statement, Transaction } from "./database.ts";
import { isLost, UnknownOutcome } from "./database-error.ts";
import type { Place } from "./hold-spaces.ts";
import { type HeldTogether, holdTogether } from "./hold-together.ts";
import type { SettleDoubt } from "./settle-doubt.ts";

/** One of those who share a transaction. */
export interface GoingTogether {
  readonly places: readonly Place[];
  /** Throws what the database refused; otherwise how it is told once all of it is committed. */
  together(transaction: Transaction, held: HeldTogether): Promise<() => void>;
  fail(error: unknown): void;
}

interface GoTogetherOptions {
  readonly transaction: Database["transaction"];
  readonly settle: SettleDoubt;
}

/** What became of a transaction, and how those in it are told. */
interface Ended {
  readonly kind: "committed" | "undone" | "refused" | "unknown";
  readonly told: readonly (() => void)[];
  readonly error?: unknown;
}

/** How often it is done where it turned out that the connection was lost before anything was committed. */
const mostTimes = 3;

/** Holds the spaces, and does what all of them want there in one transaction, one after the other. */
export function createGoTogether({ transaction, settle }: GoTogetherOptions) {
  async function tryTogether(spaces: readonly string[], all: readonly GoingTogether[]): Promise<Ended> {
    let told: (() => void)[] = [];
    let operation: string | undefined;
    try {
      await transaction(spaces, async (one) => {
        told = [];
        const { shared, end } = share(one, (named) => {
          operation = named;
        });
        const places = all.flatMap((going) => going.places);
        const held = await holdTogether(shared, places);
        for (const going of all) told.push(await going.together(shared, held));
        await end();
      });
      return { kind: "committed", told };
    } catch (error) {
      if (!(error instanceof UnknownOutcome)) return { kind: isLost(error) ? "unknown" : "refused", told, error };
      const done =
        operation === undefined ? undefined : await settle(spaces, [operation], error).catch(() => undefined);
      if (!done) return { kind: "unknown", told, error };
      // All of it is there, or nothing.
      return { kind: done.size > 0 ? "committed" : "undone", told, error };
    }
  }

  return async function goTogether(spaces: readonly string[], all: readonly GoingTogether[], time = 1): Promise<void> {
    const { kind, told, error } = await tryTogether(spaces, all);
    switch (kind) {
      case "committed":
        return told.forEach((tell) => void tell());
      case "undone":
        return time < mostTimes ? goTogether(spaces, all, time + 1) : failAll(all, notDone(error));
      case "refused":
        if (all.length === 1) return failAll(all, error);
        // For the sake of one of them perhaps.
        for (const one of all) await goTogether(spaces, [one]);
        return;
      case "unknown":
        return failAll(all, error);
    }
  };
}

function failAll(all: readonly GoingTogether[], error: unknown): void {
  for (const one of all) one.fail(error);
}

function notDone(cause: unknown): RecollectError {
  const says = "Nothing was written: the database cannot be reached for long enough. Try again.";
  return new RecollectError("STORAGE_FAILED", says, { data: { reason: "unreachable" }, cause });
}

/** What one commits is sent with what the next one asks, and committed with the last. */
function share(
  whole: Transaction,
  tell: (operation: string) => void,
): { readonly shared: Transaction; end(): Promise<void> } {
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
        for (const { operation } of statements) if (operation !== undefined) tell(operation);
        pending.push(...statements);
        return [];
      },
    },
    end: async () => void (isChanged && (await whole.commit(...pending))),
  };
}
