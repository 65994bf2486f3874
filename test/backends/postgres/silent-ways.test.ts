import { describe, expect, it, onTestFinished } from "vitest";
import { connectHosts } from "../../../src/backends/postgres/connect-hosts.ts";
import { openDatabase } from "../../../src/backends/postgres/database.ts";
import { isLost } from "../../../src/backends/postgres/database-error.ts";
import { migrateTables } from "../../../src/backends/postgres/migrate-tables.ts";
import { createTransactions } from "../../../src/backends/postgres/transactions.ts";
import { createWakeUp } from "../../../src/backends/postgres/wake-up.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { postgresUrl } from "../../helpers/postgres-stores.ts";
import { wayToDatabase } from "./way-to-database.ts";

/** A way on which nothing is answered any more from the message on that holds the text. */
async function wayUntil(text: string): Promise<URL> {
  return wayToDatabase(await postgresUrl(), (near, far) => {
    let isSilent = false;
    near.on("data", (bytes) => {
      isSilent ||= bytes.includes(text);
      if (!isSilent) far.write(bytes);
    });
    far.on("data", (bytes) => near.write(bytes));
    near.on("close", () => far.destroy());
  });
}

async function transactionsBy(url: string) {
  const hosts = connectHosts(url, { max: 2, connectionTimeoutMillis: 1000 });
  onTestFinished(() => hosts.close());
  return createTransactions(hosts, 200);
}

describe("PG-2 nobody waits for ever on a way that falls silent", () => {
  it("while a host is asked whether it takes writes: the next one is", async () => {
    const [silent, url] = [await wayUntil("transaction_read_only"), new URL(await postgresUrl())];
    const hosts = `${silent.host},${url.host}`;
    const database = openDatabase({
      url: `postgres://recollect:recollect@${hosts}${url.pathname}?target_session_attrs=read-write`,
      connectTimeoutMs: 500,
    });
    onTestFinished(() => database.close());
    expect(await database.read([], { text: "SELECT 1 AS one" })).toEqual([[{ one: 1 }]]);
  });

  it("while it is asked whether the database is there", async () => {
    const { ping } = await transactionsBy((await wayUntil("SELECT 1")).href);
    expect(isLost(await errorOf(ping))).toBe(true);
  });

  it("while tables are made", async () => {
    const { retried } = await transactionsBy((await wayUntil("to_regclass")).href);
    expect(isLost(await errorOf(() => retried(migrateTables)))).toBe(true);
  });

  it.each(["LISTEN", "pg_notify"])("while others are told at the end what was written: %s", async (text) => {
    const wakeUp = createWakeUp({ url: (await wayUntil(text)).href, connectTimeoutMs: 500 });
    wakeUp.onWritten(() => {});
    wakeUp.written(["space"]);
    await wakeUp.close();
  });
});

describe("KER-5 a transaction in which something failed", () => {
  it("is not taken for committed by who goes on after it", async () => {
    const { transaction } = await transactionsBy(await postgresUrl());
    const committed = transaction([], async (one) => {
      await one.run({ text: "SELECT 1 / 0" }).catch(() => {});
      await one.commit();
    });
    expect(await errorOf(() => committed)).toMatchObject({ code: "25P02" });
  });
});
