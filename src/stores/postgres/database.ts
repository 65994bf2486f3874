import type pg from "pg";
import { RecollectError } from "../../core/errors.ts";
import { connectHosts } from "./connect-hosts.ts";
import { isCollision, isLost, isMadeTwice, isReadOnly, isUndone, UnknownOutcome } from "./database-error.ts";
import { createGatheredWrites } from "./gather-writes.ts";
import { createKnownDocuments, type KnownDocuments } from "./known-documents.ts";
import { migrations } from "./schema.ts";
import { createPrepared, type Prepared, sendTogether } from "./send-together.ts";
import { createSettleDoubt } from "./settle-doubt.ts";
import { createTurns, type Turns } from "./take-turns.ts";

export interface DatabaseOptions {
  /** `postgres://user:password@host/name`; see `databaseHostsOf` for several hosts. */
  readonly url: string;
  /** How many connections at most. */
  readonly connections?: number;
  /** How long one statement may take, and how long it may wait for others, in milliseconds. */
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** How long it is looked for what became of a commit whose answer was lost. */
  readonly settleTimeoutMs?: number;
}

/** Whether the database answers: one that is slow needs patience, one that is down needs somebody who looks after it. */
export interface DatabaseHealth {
  readonly kind: "up" | "slow" | "down";
  readonly ms: number;
}

export type Row = Readonly<Record<string, unknown>>;

/** One statement with its values. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** What is done all the time has one: under it, a connection keeps how it is done. */
  readonly name?: string;
  /** What it records with the changes that it makes, so that it can be found out later whether it was done. */
  readonly operation?: string;
}

/** A transaction that sees the rows of its spaces and of no other. */
export interface Transaction {
  /** All of them in one round trip; the rows of each. */
  run(...statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>;
  /** The same, and commits with them. Once it is under way nobody knows what became of it when the connection is lost. */
  commit(...statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>;
}

export interface Database {
  /**
   * Runs `work` in a transaction that sees these spaces. Where it collides with another one, or the connection is lost
   * before anything was committed, it is done again. What `work` does not commit is undone.
   */
  transaction<Result>(spaces: readonly string[], work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** One statement that only reads, in one round trip. */
  read(spaces: readonly string[], ...statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>;
  /** Brings the tables to the newest form, where they are not; safe beside others that do the same. */
  migrate(): Promise<void>;
  /** Of all who write by these connections. */
  readonly turns: Turns;
  readonly known: KnownDocuments;
  health(): Promise<DatabaseHealth>;
  close(): Promise<void>;
}

const defaults = { connections: 10, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, connectTimeoutMs: 10_000 };
const settleMs = 10_000;
const mostTries = 6;
/** One computes while the other waits for the disk; with more of them, fewer writes share what a transaction costs. */
const mostLanes = 2;
const [slowMs, patienceMs] = [1000, 3000];
const keepAliveMs = 10_000;
/** A server that was stopped in the middle of a transaction, or the way to it, keeps nobody from a space for longer. */
const mostIdleMs = 20_000;
/** So much longer than a statement may take, a database says nothing: then it is gone, or the way to it. */
const silenceMs = 5000;
/** Around each name of a space in the setting that the policies of the tables go by. */
const separator = "\x1f";

export function openDatabase(options: DatabaseOptions): Database {
  const { url, connections, statementTimeoutMs, lockTimeoutMs, connectTimeoutMs } = { ...defaults, ...options };
  const hosts = connectHosts(url, {
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: Math.min(lockTimeoutMs, mostIdleMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    // However the role or the database has it set: times are read in this form, and who waited for a row sees it as it is.
    options: "-c datestyle=ISO -c default_transaction_isolation=read\\ committed",
    application_name: "recollect",
  });
  const preparedBy = new WeakMap<pg.PoolClient, Prepared>();

  async function transaction<Result>(
    spaces: readonly string[],
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const scope = scopeOf(spaces);
    for (let attempt = 1; ; attempt += 1) {
      const state = { isCommitting: false };
      try {
        return await withClient((_, send) => inTransaction(send, scope, state, work));
      } catch (error) {
        if (state.isCommitting && !isUndone(error)) throw new UnknownOutcome(error);
        const isSafe = isCollision(error) || isElsewhere(error) || isLost(error);
        if (!isSafe || attempt === mostTries) throw error;
        await pauseBefore(attempt + 1);
      }
    }
  }

  /** It takes no writes any more, since another host does. Nothing was written. */
  function isElsewhere(error: unknown): boolean {
    return hosts.hasOthers && isReadOnly(error);
  }

  async function withClient<Result>(use: (client: pg.PoolClient, send: Send) => Promise<Result>): Promise<Result> {
    const client = await hosts.connect();
    const prepared = preparedBy.get(client) ?? createPrepared();
    preparedBy.set(client, prepared);
    let broken: Error | undefined;
    try {
      return await use(client, (...statements) =>
        sendTogether(client, { prepared, silenceMs: statementTimeoutMs + silenceMs }, statements),
      );
    } catch (error) {
      if (isLost(error) || isElsewhere(error)) broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async function health(): Promise<DatabaseHealth> {
    const begun = performance.now();
    const pinged = withClient((client) => client.query("SELECT 1")).then(
      () => "up" as const,
      () => "down" as const,
    );
    const late = new Promise<"late">((resolve) => setTimeout(resolve, patienceMs, "late").unref());
    const answer = await Promise.race([pinged, late]);
    const ms = Math.round(performance.now() - begun);
    // Connections that are there and do not answer are in use, or wait for others.
    if (answer === "late") return { kind: hosts.isConnected() ? "slow" : "down", ms };
    return { kind: answer === "up" && ms > slowMs ? "slow" : answer, ms };
  }

  const known = createKnownDocuments();
  const gathered = createGatheredWrites({
    transaction,
    scopeOf,
    lanes: Math.min(connections, mostLanes),
    lanesIfLate: Math.max(Math.min(connections, mostLanes), Math.floor(connections / 2)),
  });

  return {
    transaction,
    turns: createTurns({
      transaction,
      gathered,
      settle: createSettleDoubt({ transaction, known, patienceMs: options.settleTimeoutMs ?? settleMs }),
      connections,
      lockTimeoutMs,
    }),
    known,
    read: (spaces, ...statements) =>
      retried(() => withClient(async (_, send) => (await send(scopeOf(spaces), ...statements)).slice(1))),
    migrate: () => retried(() => withClient(migrateTables), isMadeTwice),
    health,
    close: hosts.close,
  };
}

function scopeOf(spaces: readonly string[]): Statement {
  const names = ["", ...spaces, ""].join(separator);
  return { name: "scope", text: "SELECT set_config('recollect.spaces', $1, true)", values: [names] };
}

type Send = (...statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>;

async function inTransaction<Result>(
  send: Send,
  scope: Statement,
  state: { isCommitting: boolean },
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  let isOpen = false;
  try {
    return await work({
      run: async (...statements) => {
        // It begins with the first statements, in the same round trip.
        const before = isOpen ? [] : [begin, scope];
        isOpen = true;
        return (await send(...before, ...statements)).slice(before.length);
      },
      commit: async (...statements) => {
        state.isCommitting = true;
        // What is sent at once is a transaction of its own.
        const before = isOpen ? [] : [scope];
        const rows = await send(...before, ...statements, ...(isOpen ? [commit] : []));
        isOpen = false;
        return rows.slice(before.length, before.length + statements.length);
      },
    });
  } finally {
    if (isOpen) await send(rollback).catch(() => {});
  }
}

const begin: Statement = { name: "begin", text: "BEGIN" };
const commit: Statement = { name: "commit", text: "COMMIT" };
const rollback: Statement = { name: "rollback", text: "ROLLBACK" };

async function retried<Result>(
  work: () => Promise<Result>,
  mayPass: (error: unknown) => boolean = () => false,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(isLost(error) || isCollision(error) || mayPass(error)) || attempt === mostTries) throw error;
      await pauseBefore(attempt + 1);
    }
  }
}

/** Longer each time, and not for all at the same moment: a database that comes back is not to be overrun. */
function pauseBefore(attempt: number): Promise<void> {
  const longest = Math.min(25 * 2 ** attempt, 2000);
  return new Promise((resolve) => setTimeout(resolve, longest * (0.5 + Math.random() / 2)));
}

async function migrateTables(client: pg.PoolClient): Promise<void> {
  // Servers need no right to make tables where somebody else has made them.
  if ((await versionOf(client)) === migrations.length) return;
  await client.query("CREATE SCHEMA IF NOT EXISTS recollect");
  await client.query(
    "CREATE TABLE IF NOT EXISTS recollect.format (is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), version integer NOT NULL)",
  );
  await client.query("INSERT INTO recollect.format (version) VALUES (0) ON CONFLICT DO NOTHING");
  for (;;) {
    await client.query("BEGIN");
    try {
      // Whoever comes at the same time waits here, and finds it done.
      const { rows } = await client.query<{ version: number }>("SELECT version FROM recollect.format FOR UPDATE");
      const version = rows[0]?.version ?? 0;
      if (version > migrations.length) throw newerFormat(version);
      const step = migrations[version];
      if (step === undefined) return void (await client.query("ROLLBACK"));
      await client.query(step);
      await client.query("UPDATE recollect.format SET version = $1", [version + 1]);
      await client.query("COMMIT");
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {});
      throw error;
    }
  }
}

async function versionOf(client: pg.PoolClient): Promise<number | undefined> {
  const there = await client.query<{ found: string | null }>("SELECT to_regclass('recollect.format')::text AS found");
  if (there.rows[0]?.found == null) return undefined;
  const { rows } = await client.query<{ version: number }>("SELECT version FROM recollect.format");
  return rows[0]?.version;
}

function newerFormat(version: number): RecollectError {
  return new RecollectError(
    "UNSUPPORTED_FORMAT",
    `The tables have format ${version}, and this Recollect knows up to ${migrations.length}. Update it.`,
  );
}
