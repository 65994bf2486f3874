import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { connectHosts } from "../../../src/backends/postgres/connect-hosts.ts";
import { openDatabase } from "../../../src/backends/postgres/database.ts";
import { migrateTables } from "../../../src/backends/postgres/migrate-tables.ts";
import { migrations } from "../../../src/backends/postgres/schema.ts";
import { createTransactions } from "../../../src/backends/postgres/transactions.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { type Postgres, startPostgres } from "../../helpers/postgres.ts";

let postgres: Postgres;
let admin: pg.Client;

beforeAll(async () => {
  postgres = await startPostgres({ isDurable: false });
  admin = new pg.Client(postgres.adminUrl);
  await admin.connect();
  const database = openDatabase({ url: postgres.url, connections: 1 });
  await database.migrate();
  await database.close();
}, 120_000);

afterAll(async () => {
  await admin.end();
  await postgres.dispose();
});

/** The tables as the version before left them, and somebody in a transaction that has read them. */
async function heldOldTables() {
  await admin.query("ALTER TABLE recollect.spaces DROP COLUMN last_time");
  await admin.query("UPDATE recollect.format SET version = $1", [migrations.length - 1]);
  const holder = new pg.Client(postgres.adminUrl);
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("BEGIN");
  await holder.query("SELECT space FROM recollect.spaces");
  return { letGo: () => holder.query("ROLLBACK") };
}

const version = async () => (await admin.query("SELECT version FROM recollect.format")).rows[0]?.version;

describe("PG-1 PG-2 tables that are brought to a newer form while servers work on them", () => {
  it("keep nobody waiting behind somebody who is in a transaction for long, and get there when that one ends", async () => {
    const { letGo } = await heldOldTables();
    // Where it has to wait as long as the other one would, it gives up before.
    const server = openDatabase({ url: postgres.url, connections: 1, statementTimeoutMs: 4000 });
    const next = openDatabase({ url: postgres.url, connections: 1 });
    for (const one of [server, next]) onTestFinished(() => one.close());
    const migrating = next.migrate();
    const waits = async () => {
      const { rows } = await admin.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
      return rows.length;
    };
    await expect.poll(waits, { interval: 20, timeout: 10_000 }).toBeGreaterThan(0);
    const text = "SELECT count(*) AS spaces FROM recollect.spaces";
    expect(await server.read(["any"], { text })).toEqual([[{ spaces: "0" }]]);
    await letGo();
    await migrating;
    expect(await version()).toBe(migrations.length);
  });

  it("stay as they are where that one does not end, and who wanted it is told what to do", async () => {
    const { letGo } = await heldOldTables();
    const hosts = connectHosts(postgres.url, { max: 1, connectionTimeoutMillis: 5000 });
    onTestFinished(() => hosts.close());
    const { retried } = createTransactions(hosts, 60_000);
    const error = await errorOf(() => retried((send) => migrateTables(send, 0)));
    expect(error).toMatchObject({ code: "BUSY", message: expect.stringMatching(/pg_stat_activity.* start Recollect/) });
    expect(await version()).toBe(migrations.length - 1);
    await letGo();
    await retried(migrateTables);
    expect(await version()).toBe(migrations.length);
  });
});
