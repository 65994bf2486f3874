import { DatabaseSync } from "node:sqlite";
import { createConnection } from "./connection.ts";
import type { Container } from "./container.ts";
import { toRefusal } from "./index-failure.ts";
import { createTables } from "./schema.ts";

export function createMemoryContainer(): Container {
  const database = new DatabaseSync(":memory:");
  createTables(database, "memory");
  const connection = createConnection(database, 0, (error) => toRefusal(error, container));
  const container: Container = {
    connection: () => connection,
    close: () => connection.close(),
  };
  return container;
}
