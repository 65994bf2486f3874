import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseDocumentPath } from "../../../src/app.ts";
import { openDatabase } from "../../../src/backends/postgres/database.ts";
import { openPostgresStore } from "../../../src/backends/postgres/store.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { type Postgres, startPostgres } from "../../helpers/postgres.ts";

const at = { root: "notes", path: parseDocumentPath("a.md") };

describe("PG-2 where only a host that takes writes will do", () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres({ isDurable: false });
  }, 120_000);
  afterAll(() => postgres.dispose());

  /** As a standby does; those who connect from now on see it. */
  async function takeWrites(isTaken: boolean): Promise<void> {
    const admin = new pg.Client(postgres.adminUrl);
    await admin.connect();
    await admin.query(`ALTER ROLE recollect SET default_transaction_read_only = ${isTaken ? "off" : "on"}`);
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'recollect'");
    await admin.end();
  }

  it("what is asked while there is none is done once there is, and told to be tried again where that takes long", async () => {
    const database = openDatabase({ url: `${postgres.url}?target_session_attrs=read-write` });
    try {
      await database.migrate();
      const store = openPostgresStore({ database, roots: [{ name: "notes", space: "notes" }] });
      const append = (content: string) =>
        store.commit([at].map(store.resolve), () => [{ kind: "append", at, content }], { author: "agent:tester" });
      await append("first\n");
      await takeWrites(false);
      const waiting = append("second\n");
      await takeWrites(true);
      await waiting;
      await takeWrites(false);
      expect(await errorOf(() => append("third\n"))).toMatchObject({
        code: "STORAGE_FAILED",
        // The other where it was sent by a connection that was just being ended.
        data: { reason: expect.stringMatching(/^(unreachable|unknown outcome)$/) },
      });
      await takeWrites(true);
      expect((await store.read(store.resolve(at)))?.content).toBe("first\nsecond\n");
    } finally {
      await database.close();
    }
  }, 60_000);
});
