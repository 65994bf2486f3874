import { once } from "node:events";
import { createServer } from "node:net";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../../src/backends/postgres/database.ts";
import type { Postgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where a test file asks for the address of the one PostgreSQL of this run. */
    readonly postgresPort: number;
  }
}

/** One PostgreSQL for all test files: started when the first of them asks for it, stopped when all are done. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<Postgres> | undefined;
  const door = createServer((socket) => {
    starting ??= startWithTables();
    starting.then(
      ({ url }) => socket.end(url),
      (error: unknown) => socket.end(`failed: ${String(error)}`),
    );
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  const address = door.address();
  if (typeof address !== "object" || !address) throw new Error("no port");
  project.provide("postgresPort", address.port);
  return async () => {
    door.close();
    await (await starting?.catch(() => undefined))?.dispose();
  };
}

async function startWithTables(): Promise<Postgres> {
  // Loaded only where it is asked for: most runs of a single file are not.
  const { startPostgres } = await import("./postgres.ts");
  const postgres = await startPostgres({ isDurable: false });
  const database = openDatabase({ url: postgres.url, connections: 1 });
  await database.migrate();
  await database.close();
  return postgres;
}
