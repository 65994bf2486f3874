import type { HostConnections, LentClient } from "./connect-hosts.ts";
import type { Database, Row, Statement, Transaction } from "./database.ts";
import { isCollision, isLost, isReadOnly, isUndone, UnknownOutcome } from "./database-error.ts";
import { createPrepared, type Prepared, sendPipeline } from "./pipeline.ts";
import { scopeOf } from "./spaces.ts";

/**
 * As `Database.transaction`; a lock is waited for at most so long, or as the connection has it. Where the database can,
 * it ends a transaction that takes longer than `mostMs`, whatever it waits for.
 */
export type RunTransaction = <Result>(
  spaces: readonly string[],
  work: (transaction: Transaction) => Promise<Result>,
  waitMs?: number,
  mostMs?: number,
) => Promise<Result>;

export interface Transactions {
  readonly transaction: RunTransaction;
  readonly read: Database["read"];
  /** Done again where the connection was lost, or `mayPass` says so. */
  retried<Result>(use: (send: Send) => Promise<Result>, mayPass?: (error: unknown) => boolean): Promise<Result>;
  ping(): Promise<unknown>;
}

/** In one message; the rows of each. */
export type Send = (...statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>;

const mostTries = 6;

/** Statements on whichever connection is free, done again where that is safe. */
export function createTransactions(hosts: HostConnections, silenceMs: number): Transactions {
  const preparedBy = new WeakMap<LentClient, Prepared>();

  async function transaction<Result>(
    spaces: readonly string[],
    work: (transaction: Transaction) => Promise<Result>,
    waitMs?: number,
    mostMs?: number,
  ): Promise<Result> {
    const settings = [limitedScope(scopeOf(spaces), waitMs, mostMs)];
    const state = { isCommitting: false };
    return again(
      () => {
        state.isCommitting = false;
        return withClient((send) => inTransaction(send, settings, state, work));
      },
      (error) => {
        if (state.isCommitting && !isUndone(error)) throw new UnknownOutcome(error);
        return isCollision(error) || isElsewhere(error) || isLost(error);
      },
    );
  }

  /** It takes no writes any more, since another host does. Nothing was written. */
  function isElsewhere(error: unknown): boolean {
    return hosts.hasOthers && isReadOnly(error);
  }

  async function withClient<Result>(use: (send: Send) => Promise<Result>): Promise<Result> {
    const client = await hosts.connect();
    const prepared = preparedBy.get(client) ?? createPrepared();
    preparedBy.set(client, prepared);
    let broken: Error | undefined;
    try {
      return await use((...statements) => sendPipeline(client, { prepared, silenceMs }, statements));
    } catch (error) {
      if (isLost(error) || isElsewhere(error)) broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  const isPassing = (error: unknown) => isLost(error) || isCollision(error);

  return {
    transaction,
    read: (spaces, ...statements) => again(() => withClient((send) => send(scopeOf(spaces), ...statements)), isPassing),
    retried: (use, mayPass = () => false) =>
      again(
        () => withClient(use),
        (error) => isPassing(error) || mayPass(error),
      ),
    ping: () => withClient((send) => send({ text: "SELECT 1" })),
  };
}

async function inTransaction<Result>(
  send: Send,
  settings: readonly Statement[],
  state: { isCommitting: boolean },
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  let isOpen = false;
  try {
    return await work({
      run: async (...statements) => {
        // It begins with the first statements, in the same round trip.
        const before = isOpen ? [] : [begin, ...settings];
        isOpen = true;
        return send(...before, ...statements);
      },
      commit: async (...statements) => {
        // What is sent at once is a transaction of its own. What cannot be sent throws here, and nothing is under way.
        const sent = isOpen ? send(...statements, commit) : send(...settings, ...statements);
        state.isCommitting = true;
        const rows = await sent;
        isOpen = false;
        return rows;
      },
    });
  } finally {
    if (isOpen) await send(rollback).catch(() => {});
  }
}

const begin: Statement = { name: "begin", text: "BEGIN", isSetting: true };
const commit: Statement = { name: "commit", text: "COMMIT", isSetting: true };
const rollback: Statement = { name: "rollback", text: "ROLLBACK", isSetting: true };

/** In one statement: each has its price, and this one goes with every write. */
function limitedScope(scope: Statement, waitMs: number | undefined, mostMs: number | undefined): Statement {
  if (waitMs === undefined && mostMs === undefined) return scope;
  return {
    name: "recollect limits",
    // A message that was cut off in its middle is limited by nothing else, and older databases do not know of this.
    text: `${scope.text}, set_config('lock_timeout', coalesce($2, current_setting('lock_timeout')), true),
      CASE WHEN $3::text IS NOT NULL AND current_setting('server_version_num')::integer >= 170000
        THEN set_config('transaction_timeout', $3, true) END`,
    values: [...(scope.values ?? []), waitMs, mostMs],
    isSetting: true,
  };
}

async function again<Result>(work: () => Promise<Result>, isSafe: (error: unknown) => boolean): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isSafe(error) || attempt === mostTries) throw error;
      await pauseBefore(attempt + 1);
    }
  }
}

/** Longer each time, and not for all at the same moment: a database that comes back is not to be overrun. */
function pauseBefore(attempt: number): Promise<void> {
  const longest = Math.min(25 * 2 ** attempt, 2000);
  return new Promise((resolve) => setTimeout(resolve, longest * (0.5 + Math.random() / 2)));
}
