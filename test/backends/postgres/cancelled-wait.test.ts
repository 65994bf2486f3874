import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "../../../src/app.ts";
import { type Database, openDatabase } from "../../../src/backends/postgres/database.ts";
import { openPostgresStore } from "../../../src/backends/postgres/store.ts";
import type { DocumentPath } from "../../../src/kernel/document-path.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { type Postgres, startPostgres } from "../../helpers/postgres.ts";

const stamp = { author: "person:ada" };
const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'";

function put(store: Store, ...paths: readonly string[]) {
  const all = paths.map((path) => ({ root: "notes", path: path as DocumentPath }));
  return store.commit(all.map(store.resolve), () => all.map((at) => ({ kind: "put", at, content: "text\n" })), stamp);
}

describe("KER-5 PG-2 a commit whose wait for the synchronous standby is cancelled", () => {
  let postgres: Postgres;
  let admin: pg.Client;
  let database: Database;

  beforeAll(async () => {
    postgres = await startPostgres({ isDurable: false });
    database = openDatabase({ url: postgres.url, connections: 3, settleTimeoutMs: 2000 });
    await database.migrate();
    admin = new pg.Client(postgres.adminUrl);
    await admin.connect();
    await admin.query("SET synchronous_commit = off");
    await admin.query("ALTER ROLE recollect SET synchronous_commit = on");
  }, 120_000);

  afterAll(async () => {
    await admin.end();
    await database.close();
    await postgres.dispose();
  });

  /** From the next connections on; the others are ended. */
  async function setStandby(name: string): Promise<void> {
    await admin.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
    await admin.query("SELECT pg_reload_conf()");
    await admin.query("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'recollect'");
    await database.read([], { text: "SELECT 1" });
  }

  async function cancelWait(): Promise<void> {
    for (;;) {
      const { rows } = await admin.query(waiting);
      if (rows.length > 0) return void (await admin.query("SELECT pg_cancel_backend($1)", [rows[0].pid]));
    }
  }

  function open(space: string): Store {
    return openPostgresStore({ database, roots: [{ name: "notes", space }] });
  }

  it.each([
    ["of one document", ["a.md"]],
    ["of two documents", ["b.md", "c.md"]],
  ])("is not acknowledged while the standby stays away: %s", async (what, paths) => {
    const store = open(`away ${what}`);
    await put(store, "first.md");
    await setStandby("nobody");
    try {
      const told = errorOf(() => put(store, ...paths));
      await cancelWait();
      expect(await told).toMatchObject({ code: "STORAGE_FAILED", data: { reason: "unknown outcome" } });
    } finally {
      await setStandby("");
    }
  });

  it("is acknowledged once a later one has reached the standby, and done once", async () => {
    const store = open("back");
    await put(store, "first.md");
    await setStandby("nobody");
    const told = put(store, "a.md");
    await cancelWait();
    await setStandby("");
    expect(await told).toMatchObject({ kind: "committed" });
    const [rows = []] = await database.read(["back"], { text: "SELECT path FROM recollect.changes ORDER BY change" });
    expect(rows.map(({ path }) => path)).toEqual(["first.md", "a.md"]);
  });
});
