import pg from "pg";
import { inTime } from "../../kernel/in-time.ts";
import { databaseHostsOf } from "./database-hosts.ts";

/** Tells who listens that a space was written to. It may be lost, and is never the truth: that is in the tables. */
export interface WakeUp {
  onWritten(listener: (space: string) => void): () => void;
  written(spaces: readonly string[]): void;
  close(): Promise<void>;
}

const channel = "recollect";
/** A payload has at most 8000 bytes; more spaces than fit are looked at when their time comes. */
const mostBytes = 7900;
/**
 * Not with each commit: the database lets only one of those end at a time that tell of something.
 */
const gatherMs = 20;
/** Who ends waits no longer to tell of it. */
const farewellMs = 1000;
const [leastPauseMs, longestPauseMs] = [200, 10_000];

export function createWakeUp({ url, connectTimeoutMs = 10_000 }: { url: string; connectTimeoutMs?: number }): WakeUp {
  const listeners = new Set<(space: string) => void>();
  const told = new Set<string>();
  const { urls } = databaseHostsOf(url);
  let attempts = 0;
  let client: Promise<pg.Client | undefined> | undefined;
  /** The one that is connected, or about to be. */
  let latest: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = leastPauseMs;
  let again: NodeJS.Timeout | undefined;
  let isClosed = false;
  let sending: Promise<void> = Promise.resolve();

  /** One connection for as long as somebody listens or tells. */
  function connected(): Promise<pg.Client | undefined> {
    client ??= connect().catch(() => undefined);
    return client;
  }

  async function connect(): Promise<pg.Client | undefined> {
    const fresh = new pg.Client({
      // A standby takes no listeners, so the next one is tried where it is asked.
      connectionString: urls[attempts % urls.length],
      connectionTimeoutMillis: connectTimeoutMs,
      application_name: "recollect wake-up",
      keepAlive: true,
      keepAliveInitialDelayMillis: connectTimeoutMs,
    });
    latest = fresh;
    fresh.on("error", () => lost(fresh));
    fresh.on("end", () => lost(fresh));
    fresh.on("notification", ({ payload = "" }) => {
      for (const space of payload.split("\n")) for (const tell of listeners) tell(space);
    });
    try {
      await fresh.connect();
      await ask(fresh, `LISTEN ${channel}`);
      pauseMs = leastPauseMs;
      return fresh;
    } catch {
      attempts += 1;
      lost(fresh);
      return undefined;
    }
  }

  /** One that does not answer is given up: another one may. */
  async function ask(connection: pg.Client, text: string, ...values: readonly string[]): Promise<void> {
    const timer = setTimeout(() => void connection.end().catch(() => {}), connectTimeoutMs).unref();
    try {
      await connection.query(text, [...values]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Told by each connection more than once: as an error, and when it has ended. */
  function lost(connection: pg.Client): void {
    if (latest !== connection) return;
    latest = undefined;
    client = undefined;
    void connection.end().catch(() => {});
    if (isClosed || again || listeners.size === 0) return;
    again = setTimeout(() => {
      again = undefined;
      void connected();
    }, pauseMs).unref();
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
  }

  /** One after the other: a connection does one thing at a time. */
  function send(): Promise<void> {
    sending = sending.then(sendTold);
    return sending;
  }

  async function sendTold(): Promise<void> {
    const spaces = [...told];
    told.clear();
    const connection = await connected();
    for (const payload of payloadsOf(spaces)) {
      if (connection) await ask(connection, "SELECT pg_notify($1, $2)", channel, payload).catch(() => undefined);
    }
  }

  return {
    onWritten: (listener) => {
      listeners.add(listener);
      void connected();
      return () => void listeners.delete(listener);
    },
    written: (spaces) => {
      for (const space of spaces) told.add(space);
      if (isClosed || told.size === 0) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void send();
      }, gatherMs).unref();
    },
    close: async () => {
      isClosed = true;
      clearTimeout(again);
      clearTimeout(timer);
      if (told.size > 0) await inTime(send(), farewellMs, () => undefined);
      const open = await client;
      await open?.end().catch(() => {});
    },
  };
}

function payloadsOf(spaces: readonly string[]): string[] {
  const payloads: string[] = [];
  for (const space of spaces) {
    const last = payloads.at(-1);
    const joined = last === undefined ? space : `${last}\n${space}`;
    if (last !== undefined && Buffer.byteLength(joined) <= mostBytes) payloads[payloads.length - 1] = joined;
    else if (Buffer.byteLength(space) <= mostBytes) payloads.push(space);
  }
  return payloads;
}
