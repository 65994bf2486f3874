import { backendOver } from "../../src/backends/postgres/backend.ts";
import type { Database } from "../../src/backends/postgres/database.ts";
import { createWakeUp } from "../../src/backends/postgres/wake-up.ts";
import { type FilesBackendOptions, openFilesBackend } from "../../src/history/git/backend.ts";
import type { Backend, BackendRoot } from "../../src/kernel/backend.ts";
import { postgresUrl, sharedDatabase } from "./postgres-stores.ts";

/** Folders, each at its path, without second copies of their histories. */
export function filesBackend(roots: readonly BackendRoot[], options: Partial<FilesBackendOptions> = {}): Backend {
  return openFilesBackend({ roots, env: process.env, now: Date.now, ...options });
}

/** Spaces of the tests' database, by the connections that all tests share where no others are given. Close it all the same. */
export async function postgresBackend(roots: readonly BackendRoot[], database?: Database): Promise<Backend> {
  const wakeUp = createWakeUp({ url: await postgresUrl() });
  const connection = { database: database ?? (await sharedDatabase()), databaseName: "tests", wakeUp };
  const backend = backendOver(connection, roots);
  return { ...backend, close: async () => void (await Promise.all([backend.close(), wakeUp.close()])) };
}
