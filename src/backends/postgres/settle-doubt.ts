import { setTimeout as delay } from "node:timers/promises";
import { isRecollectError } from "../../kernel/errors.ts";
import { inTime } from "../../kernel/in-time.ts";
import type { Transaction } from "./database.ts";
import type { UnknownOutcome } from "./database-error.ts";
import { makeSpaces } from "./insert-rows.ts";
import type { KnownDocuments } from "./known-documents.ts";
import type { RunTransaction } from "./transactions.ts";
import { shortWaitMs } from "./wait-for-spaces.ts";

/**
 * Finds out which of these operations were done, and when, after a commit of which nobody knows; those that were not
 * never will be. Throws that it is unknown where the database stays away.
 */
export type SettleDoubt = (
  spaces: readonly string[],
  operations: readonly string[],
  doubt: UnknownOutcome,
) => Promise<ReadonlyMap<string, Date>>;

interface SettlingOptions {
  readonly transaction: RunTransaction;
  readonly known: Pick<KnownDocuments, "setDoubts">;
  /** How long it is tried. */
  readonly patienceMs: number;
}

const pauseMs = 100;

export function createSettleDoubt({ transaction, known, patienceMs }: SettlingOptions): SettleDoubt {
  function look(spaces: readonly string[], operations: readonly string[]): Promise<ReadonlyMap<string, Date>> {
    const settled = async (one: Transaction) => {
      const [, , rows = []] = await one.run(
        // What was begun holds the spaces to its end, or makes them: once they are held here, it has ended.
        makeSpaces(spaces),
        { text: "SELECT 1 FROM recollect.spaces WHERE space = ANY($1) ORDER BY space FOR UPDATE", values: [spaces] },
        {
          text: `SELECT operation, min(time) AS time FROM recollect.changes
            WHERE space = ANY($1) AND operation = ANY($2) GROUP BY operation`,
          values: [spaces, operations],
        },
      );
      // What still lies on the way is too late by this. And what was found is as durable as this commit is: a database
      // that was cut off while it waited for its standby shows it before.
      const [raised = []] = await one.commit({
        text: "UPDATE recollect.spaces SET doubts = doubts + 1 WHERE space = ANY($1) RETURNING space, doubts",
        values: [spaces],
      });
      for (const { space, doubts } of raised) known.setDoubts(String(space), BigInt(String(doubts)));
      return new Map(rows.map(({ operation, time }) => [String(operation), time as Date]));
    };
    // Whoever holds a space keeps no connection from others by that: it is asked for again and again.
    return transaction(spaces, settled, shortWaitMs);
  }

  return async (spaces, operations, doubt) => {
    const end = performance.now() + patienceMs;
    for (;;) {
      const looking = look(spaces, operations).then(
        (done) => ({ kind: "settled" as const, done }),
        // Whatever a database says may pass; only who closed this store never looks again.
        (error: unknown) => ({ kind: isRecollectError(error) ? ("closed" as const) : ("failed" as const) }),
      );
      // One that is late may go on: it changes nothing of what is there.
      const ended = await inTime(looking, Math.max(0, end - performance.now()), () => ({ kind: "late" as const }));
      if (ended.kind === "settled") return ended.done;
      if (ended.kind !== "failed" || performance.now() + pauseMs > end) throw doubt;
      await delay(pauseMs);
    }
  };
}
