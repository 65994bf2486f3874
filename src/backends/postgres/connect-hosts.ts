import pg from "pg";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import { databaseHostsOf } from "./database-hosts.ts";
import { createPrepared, type PipelineClient, sendPipeline } from "./pipeline.ts";

/** A client of `pg` that is given back. What is exported here has no types of `pg`: they come with another package. */
export interface LentClient extends PipelineClient {
  /** With an error where it is not to be used again. */
  release(error?: Error): void;
}

/** Connections to whichever of several hosts answers, and takes writes where that is asked for. */
export interface HostConnections {
  connect(): Promise<LentClient>;
  /** Whether there are connections, in use or not. */
  isConnected(): boolean;
  /** Whether another host may answer what this one refuses. */
  readonly hasOthers: boolean;
  close(): Promise<void>;
}

/** As `pg` calls them. */
interface ConnectionOptions {
  readonly max: number;
  readonly connectionTimeoutMillis: number;
  readonly statement_timeout?: number;
  readonly lock_timeout?: number;
  readonly idle_in_transaction_session_timeout?: number;
  readonly keepAlive?: boolean;
  readonly keepAliveInitialDelayMillis?: number;
  readonly options?: string;
  readonly application_name?: string;
}

export function connectHosts(url: string, options: ConnectionOptions): HostConnections {
  const { urls, mustWrite } = databaseHostsOf(url);
  const verify = mustWrite ? { verify: refuseStandby(options.connectionTimeoutMillis) } : {};
  const inUse = new Map<pg.Pool, number>();
  /** All of its connections are in use: that it gives out no other says nothing about the host. */
  const isFull = (pool: pg.Pool | undefined) => pool !== undefined && (inUse.get(pool) ?? 0) >= pool.options.max;
  const pools = urls.map((connectionString) => {
    const pool = new pg.Pool({ connectionString, ...options, ...verify });
    // A connection that breaks while nobody uses it is replaced; whoever uses it is told by its own statement.
    pool.on("error", () => {});
    pool.on("connect", (client) => client.on("error", () => {}));
    pool.on("acquire", () => inUse.set(pool, (inUse.get(pool) ?? 0) + 1));
    pool.on("release", () => inUse.set(pool, (inUse.get(pool) ?? 0) - 1));
    return pool;
  });
  let current = 0;
  /** Those who wait for a connection: where everything is closed they are told so, and not left waiting. */
  const waiting = new Set<(error: RecollectError) => void>();
  let isClosed = false;

  function connectedBy(pool: pg.Pool | undefined): Promise<pg.PoolClient> {
    if (!pool) throw new Error("The address names no host.");
    if (isClosed) throw closedError();
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>();
    waiting.add(reject);
    pool
      .connect()
      .then(
        (client) => (isClosed ? client.release(true) : resolve(client)),
        (error: unknown) => reject(isFull(pool) ? noneLeft(error) : error),
      )
      .finally(() => waiting.delete(reject));
    return promise;
  }

  return {
    hasOthers: pools.length > 1,
    isConnected: () => pools.some(({ totalCount }) => totalCount > 0),
    connect: async () => {
      const first = current;
      for (let tried = 0; ; tried += 1) {
        const next = (first + tried) % pools.length;
        try {
          const client = await connectedBy(pools[next]);
          current = next;
          return client;
        } catch (error) {
          if (tried === pools.length - 1 || isRecollectError(error) || isFull(pools[next])) throw error;
        }
      }
    },
    close: async () => {
      isClosed = true;
      for (const tell of waiting) tell(closedError());
      await Promise.all(pools.map((pool) => (pool.ending ? undefined : pool.end())));
    },
  };
}

function noneLeft(cause: unknown): Error {
  return Object.assign(new Error("All connections are in use.", { cause }), { severity: "ERROR", code: "53300" });
}

function closedError(): RecollectError {
  return new RecollectError("INVALID_ARGUMENT", "This store was closed. Open it again.");
}

/** As a database says that it is starting: it may be there soon, and another host may be now. */
const notThereYet = { severity: "FATAL", code: "57P03" };

/** One that does not even answer this is none to wait for. */
function refuseStandby(silenceMs: number) {
  const statement = { text: "SHOW transaction_read_only" };
  return (client: pg.PoolClient, done: (error?: Error) => void): void => {
    sendPipeline(client, { prepared: createPrepared(), silenceMs }, [statement]).then(
      (answers) => {
        const isStandby = answers[0]?.[0]?.["transaction_read_only"] === "on";
        done(isStandby ? Object.assign(new Error("It takes no writes."), notThereYet) : undefined);
      },
      (error: Error) => done(error),
    );
  };
}
