import { afterAll, beforeAll } from "vitest";
import type { Store } from "../../src/index.ts";
import { type Database, openDatabase } from "../../src/stores/postgres/database.ts";
import { openPostgresHistory } from "../../src/stores/postgres/postgres-history.ts";
import { openPostgresStore } from "../../src/stores/postgres/postgres-store.ts";
import { type Postgres, startPostgres } from "../helpers/postgres.ts";
import { describeHistoryContract } from "./history-contract.ts";
import { describeStoreContract } from "./store-contract.ts";
import type { CreateStoreFixture } from "./store-fixture.ts";
import { describeStoreModel } from "./store-model.ts";

let postgres: Postgres;
let database: Database;
let fixtures = 0;

beforeAll(async () => {
  postgres = await startPostgres();
  database = openDatabase({ url: postgres.url });
  await database.migrate();
}, 120_000);
afterAll(async () => {
  await database.close();
  await postgres.dispose();
});

/** Spaces of its own, in one database; clients with connections of their own. */
const postgresFixture: CreateStoreFixture = async (names) => {
  fixtures += 1;
  const roots = names.map((name) => ({ name, space: `${fixtures}/${name}` }));
  const own: Database[] = [];
  const clients: Store[] = [];
  return {
    open: async () => {
      const connections = clients.length === 0 ? database : openDatabase({ url: postgres.url, connections: 4 });
      if (connections !== database) own.push(connections);
      const client = openPostgresStore({ database: connections, roots });
      clients.push(client);
      return client;
    },
    dispose: async () => {
      for (const client of clients) await client.close();
      for (const connections of own) await connections.close();
    },
  };
};

describeStoreContract("a store in PostgreSQL", postgresFixture);
describeStoreModel("a store in PostgreSQL", postgresFixture);
describeHistoryContract("a history in PostgreSQL", async () => {
  fixtures += 1;
  const space = `${fixtures}/notes`;
  return {
    store: openPostgresStore({ database, roots: [{ name: "notes", space }] }),
    history: openPostgresHistory({ database, root: "notes", space, now: Date.now }),
  };
});
