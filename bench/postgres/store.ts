import { pathToFileURL } from "node:url";
import { repository } from "../library.ts";

/** As it was built; its types come from the sources. */
const load = (file: string) => import(pathToFileURL(`${repository}dist/backends/postgres/${file}.js`).href);
const { openDatabase }: typeof import("../../src/backends/postgres/database.ts") = await load("database");
const { openPostgresStore }: typeof import("../../src/backends/postgres/store.ts") = await load("store");
const { parseDocumentPath }: typeof import("../../src/kernel/document-path.ts") = await import(
  pathToFileURL(`${repository}dist/kernel/document-path.js`).href
);

export type OpenedDatabase = Awaited<ReturnType<typeof openMigrated>>;

export async function openMigrated(url: string, connections: number) {
  const database = openDatabase({ url, connections });
  await database.migrate();
  return database;
}

/** One space, by what a server does there. */
export function openSpace(database: OpenedDatabase, space: string) {
  const store = openPostgresStore({ database, roots: [{ name: "bench", space }] });
  const addressOf = (path: string) => ({ root: "bench", path: parseDocumentPath(path) });
  return {
    put: (path: string, content: string) => {
      const at = addressOf(path);
      return store.commit([at].map(store.resolve), () => [{ kind: "put", at, content }], { author: "bench" });
    },
    read: (path: string) => store.read(store.resolve(addressOf(path))),
  };
}
