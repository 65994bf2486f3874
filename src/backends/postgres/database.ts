import type { BackendHealth } from "../../kernel/backend.ts";
import { inTime } from "../../kernel/in-time.ts";
import { createHeldCommits } from "./commit-held.ts";
import { connectHosts } from "./connect-hosts.ts";
import { isMadeTwice } from "./database-error.ts";
import { createKnownDocuments, type KnownDocuments } from "./known-documents.ts";
import { migrateTables } from "./migrate-tables.ts";
import { createSettleDoubt } from "./settle-doubt.ts";
import { createTurns, type Turns } from "./take-turns.ts";
import { createTransactions, type RunTransaction } from "./transactions.ts";
import { waitForSpaces } from "./wait-for-spaces.ts";
import { createWriteLanes } from "./write-lanes.ts";

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

export type Row = Readonly<Record<string, unknown>>;

/** One statement with its values. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** What is done all the time, and fast, has one: under it, a connection keeps how it is done. */
  readonly name?: string;
  /** It only sets something: nobody wants to see its rows. */
  readonly isSetting?: true;
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
   * before anything was committed, it is done again. What `work` does not commit is undone. Where somebody else holds
   * what it needs, it waits in line.
   */
  transaction<Result>(spaces: readonly string[], work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Statements that only read, in one round trip. Each is a look of its own: what is written between two of them, only the
   * later one sees. What must fit together belongs into one statement.
   */
  read(spaces: readonly string[], ...statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>;
  /** Brings the tables to the newest form, where they are not; safe beside others that do the same. */
  migrate(): Promise<void>;
  /** Of all who write by these connections. */
  readonly turns: Turns;
  readonly known: KnownDocuments;
  health(): Promise<BackendHealth>;
  close(): Promise<void>;
}

const defaults = { connections: 10, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, connectTimeoutMs: 10_000 };
const settleMs = 10_000;
/** One computes while the other waits for the disk; with more of them, fewer writes share what a transaction costs. */
const mostLanes = 2;
const [slowMs, patienceMs] = [1000, 3000];
const keepAliveMs = 10_000;
/** A server that was stopped in the middle of a transaction, or the way to it, keeps nobody from a space for longer. */
const mostIdleMs = 20_000;
/**
 * The same where the database waits for the rest of a message, which to it is no idling. The last is for what it has sent
 * and nobody has taken: it asks whether somebody is there only while nothing is on the way.
 */
const noticeGone =
  "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=2 -c tcp_user_timeout=20000";
/** So much longer than a statement may take, a database says nothing: then it is gone, or the way to it. */
const silenceMs = 5000;

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
    options: `-c datestyle=ISO -c default_transaction_isolation=read\\ committed ${noticeGone}`,
    application_name: "recollect",
  });
  const { transaction, read, retried, ping } = createTransactions(hosts, statementTimeoutMs + silenceMs);
  const patient = waitForSpaces({ transaction, connections, lockTimeoutMs });
  /** Of a write, whose transaction holds its spaces; other transactions may be long. */
  const mostMs = statementTimeoutMs > 0 && lockTimeoutMs > 0 ? statementTimeoutMs + lockTimeoutMs : undefined;
  const limited: RunTransaction = (spaces, work, waitMs) => transaction(spaces, work, waitMs, mostMs);

  async function health(): Promise<BackendHealth> {
    const begun = performance.now();
    const pinged = ping().then(
      () => "up" as const,
      () => "down" as const,
    );
    const answer = await inTime(pinged, patienceMs, () => "late" as const);
    const ms = Math.round(performance.now() - begun);
    // Connections that are there and do not answer are in use, or wait for others.
    if (answer === "late") return { kind: hosts.isConnected() ? "slow" : "down", ms };
    return { kind: answer === "up" && ms > slowMs ? "slow" : answer, ms };
  }

  const known = createKnownDocuments();
  const settle = createSettleDoubt({ transaction: limited, known, patienceMs: options.settleTimeoutMs ?? settleMs });
  const lanes = createWriteLanes({
    transaction: limited,
    lanes: Math.min(connections, mostLanes),
    lanesIfLate: Math.max(Math.min(connections, mostLanes), Math.floor(connections / 2)),
  });
  const held = createHeldCommits({ transaction: (spaces, work) => patient(spaces, work, mostMs), settle, known });

  return {
    transaction: (spaces, work) => patient(spaces, work),
    read,
    turns: createTurns({ lanes, held, settle }),
    known,
    migrate: () => retried(migrateTables, isMadeTwice),
    health,
    close: hosts.close,
  };
}
