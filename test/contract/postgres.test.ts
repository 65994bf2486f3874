import { randomUUID } from "node:crypto";
import { type Database, openDatabase } from "../../src/backends/postgres/database.ts";
import type { Backend } from "../../src/kernel/backend.ts";
import { postgresBackend } from "../helpers/backends.ts";
import { postgresUrl, sharedDatabase } from "../helpers/postgres-stores.ts";
import { describeBackendContract } from "./backend-contract.ts";
import type { CreateBackendFixture } from "./backend-fixture.ts";

/** Spaces of its own, in one database; clients with connections of their own. */
const postgresFixture: CreateBackendFixture = async (names) => {
  const prefix = randomUUID();
  const roots = names.map((name) => ({ name, place: `${prefix}/${name}` }));
  const own: Database[] = [];
  const clients: Backend[] = [];
  return {
    open: async () => {
      const isFirst = clients.length === 0;
      const database = isFirst ? await sharedDatabase() : openDatabase({ url: await postgresUrl(), connections: 4 });
      if (!isFirst) own.push(database);
      const client = await postgresBackend(roots, database);
      clients.push(client);
      return client;
    },
    recordsPlace: `${prefix}/records`,
    dispose: async () => {
      for (const client of clients) await client.close();
      for (const database of own) await database.close();
    },
  };
};

describeBackendContract("a backend in PostgreSQL", postgresFixture);
