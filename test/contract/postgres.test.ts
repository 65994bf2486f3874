import { randomUUID } from "node:crypto";
import type { Store } from "../../src/app.ts";
import { type Database, openDatabase } from "../../src/backends/postgres/database.ts";
import { openPostgresHistory } from "../../src/backends/postgres/postgres-history.ts";
import { openPostgresStore } from "../../src/backends/postgres/postgres-store.ts";
import { postgresStores, postgresUrl, sharedDatabase } from "../helpers/postgres-stores.ts";
import { readLog } from "../helpers/written-records.ts";
import { describeHistoryContract } from "./history-contract.ts";
import { describeStoreContract } from "./store-contract.ts";
import type { CreateStoreFixture } from "./store-fixture.ts";
import { describeStoreModel } from "./store-model.ts";

/** Spaces of its own, in one database; clients with connections of their own. */
const postgresFixture: CreateStoreFixture = async (names) => {
  const prefix = randomUUID();
  const roots = names.map((name) => ({ name, space: `${prefix}/${name}` }));
  const own: Database[] = [];
  const clients: Store[] = [];
  return {
    open: async () => {
      const isFirst = clients.length === 0;
      const database = isFirst ? await sharedDatabase() : openDatabase({ url: await postgresUrl(), connections: 4 });
      if (!isFirst) own.push(database);
      const client = openPostgresStore({ database, roots });
      clients.push(client);
      return client;
    },
    written: async (root) => {
      const database = await sharedDatabase();
      return readLog(openPostgresHistory({ database, root, space: `${prefix}/${root}`, now: Date.now }));
    },
    dispose: async () => {
      for (const client of clients) await client.close();
      for (const database of own) await database.close();
    },
  };
};

describeStoreContract("a store in PostgreSQL", postgresFixture);
describeStoreModel("a store in PostgreSQL", postgresFixture);
describeHistoryContract("a history in PostgreSQL", async () => {
  const { store, history } = await postgresStores.open([{ name: "notes" }]);
  return { store, history: history("notes") };
});
