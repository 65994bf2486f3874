import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Store } from "../../../src/app.ts";
import { type Database, openDatabase } from "../../../src/backends/postgres/database.ts";
import { openPostgresStore } from "../../../src/backends/postgres/store.ts";
import type { DocumentPath } from "../../../src/kernel/document-path.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { postgresUrl } from "../../helpers/postgres-stores.ts";
import { wayToDatabase } from "./way-to-database.ts";

const lastWords = "the last words";
/** Before what says that the transaction ends, by which of the two it does. */
const withoutSync = (bytes: Buffer) => bytes.length - 5;
const withoutCommit = (bytes: Buffer) => bytes.lastIndexOf("commit ");

/**
 * A way on which the first message with the last words never ends, while the database goes on seeing somebody there; and from
 * which port the database got what it got of it.
 */
async function wayThatCuts(end: (bytes: Buffer) => number) {
  const { promise: cutAt, resolve } = Promise.withResolvers<number | undefined>();
  let isArmed = true;
  const url = await wayToDatabase(await postgresUrl(), (near, far) => {
    let isCut = false;
    near.on("data", (bytes) => {
      if (isCut) return;
      isCut = isArmed && bytes.includes(lastWords);
      far.write(isCut ? bytes.subarray(0, end(bytes)) : bytes);
      if (!isCut) return;
      isArmed = false;
      resolve(far.localPort);
    });
    far.on("data", (bytes) => void near.write(bytes));
    near.on("close", () => void (isCut || far.destroy()));
    far.on("close", () => void near.destroy());
  });
  return { url: url.href, cutAt };
}

function opened(url: string): Database {
  const limits = { statementTimeoutMs: 2000, lockTimeoutMs: 2000, settleTimeoutMs: 500 };
  const database = openDatabase({ url, connections: 2, ...limits });
  onTestFinished(() => database.close());
  return database;
}

function put(store: Store, content: string, ...paths: readonly string[]) {
  const all = paths.map((path) => ({ root: "notes", path: path as DocumentPath }));
  return store.commit(all.map(store.resolve), () => all.map((at) => ({ kind: "put", at, content })), {
    author: "person:ada",
  });
}

describe("PG-2 a message that is cut off in its middle", () => {
  it.each([
    ["of one document", ["a.md"], withoutSync],
    ["of two documents", ["a.md", "b.md"], withoutCommit],
  ])(
    "holds its space for a while, and then others write there: %s",
    async (_, paths, end) => {
      const roots = [{ name: "notes", space: randomUUID() }];
      const way = await wayThatCuts(end);
      const [mine, other] = [opened(way.url), opened(await postgresUrl())];
      const [store, theirs] = [mine, other].map((database) => openPostgresStore({ database, roots })) as Store[] as [
        Store,
        Store,
      ];
      await put(store, "one\n", ...paths);
      const told = errorOf(() => put(store, `${lastWords}\n`, ...paths));
      const ofPort = await way.cutAt;
      const stateOf = async () => {
        const text =
          "SELECT state, wait_event, xact_start IS NOT NULL AS is_open FROM pg_stat_activity WHERE client_port = $1";
        return (await other.read([], { text, values: [ofPort] }))[0]?.[0];
      };
      await expect
        .poll(stateOf, { timeout: 10_000 })
        .toEqual({ state: "active", wait_event: "ClientRead", is_open: true });
      await expect.poll(() => errorOf(() => put(theirs, "more\n", "c.md")), { timeout: 20_000 }).toBeUndefined();
      await told;
    },
    60_000,
  );

  it("ends with its connection where nobody is there any more: the database asks for that", async () => {
    const settings = ["tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count", "tcp_user_timeout"];
    const shown = settings.map((name) => `current_setting('${name}') AS ${name}`).join(", ");
    const rows = await opened(await postgresUrl()).read([], { text: `SELECT ${shown}` });
    expect(rows).toEqual([
      [
        {
          ...{ tcp_keepalives_idle: "10", tcp_keepalives_interval: "5", tcp_keepalives_count: "2" },
          tcp_user_timeout: "20000",
        },
      ],
    ]);
  });

  it("is limited only where it writes: what is copied, purged or trimmed may take long", async () => {
    const database = opened(await postgresUrl());
    const [[row] = []] = await database.transaction([], (one) =>
      one.commit({ text: "SELECT current_setting('transaction_timeout') AS most" }),
    );
    expect(row).toEqual({ most: "0" });
  });
});
