import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { inject, onTestFinished } from "vitest";
import type { Store } from "../../src/app.ts";
import { type Database, openDatabase } from "../../src/backends/postgres/database.ts";
import { openPostgresHistory } from "../../src/backends/postgres/history.ts";
import { openPostgresStore } from "../../src/backends/postgres/store.ts";
import type { DocumentPath, ExistingPath } from "../../src/kernel/document-path.ts";
import { revisionOf } from "../../src/kernel/revision.ts";
import type { DocumentStores, RootContents } from "./document-stores.ts";
import { readLog } from "./written-records.ts";

const tables = ["spaces", "contents", "documents", "changes"];
const outside = { author: "outside" };

let opening: Promise<Database> | undefined;

/** The tables of the one PostgreSQL of this run, with connections for all files of this worker; they end with it. */
export function sharedDatabase(): Promise<Database> {
  opening ??= postgresUrl().then((url) => openDatabase({ url, connections: 5 }));
  return opening;
}

export async function postgresUrl(): Promise<string> {
  const socket = connect(inject("postgresPort"), "127.0.0.1");
  let said = "";
  socket.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  await once(socket, "end");
  if (!said.startsWith("postgres://")) throw new Error(`There is no PostgreSQL for the tests: ${said}`);
  return said;
}

/** Each root a space that no other test has. */
export const postgresStores: DocumentStores = {
  name: "PostgreSQL",
  open: async (roots) => {
    const database = await sharedDatabase();
    const prefix = randomUUID();
    const spaceOf = (root: string) => `${prefix}/${root}`;
    const open = (isFree: boolean) => {
      const spaces = roots.map(({ name, readOnly = false }) => ({
        name,
        space: spaceOf(name),
        readOnly: readOnly && !isFree,
      }));
      const store = openPostgresStore({ database, roots: spaces });
      onTestFinished(() => store.close());
      return store;
    };
    const somebodyElse = open(true);
    const history = (root: string) => openPostgresHistory({ database, root, space: spaceOf(root), now: Date.now });
    return {
      store: open(false),
      another: () => open(false),
      contents: (root) => inSpace(database, somebodyElse, root, spaceOf(root)),
      everything: () =>
        rowsIn(
          database,
          roots.map(({ name }) => spaceOf(name)),
        ),
      history,
      written: (root) => readLog(history(root)),
    };
  },
};

function inSpace(database: Database, store: Store, root: string, space: string): RootContents {
  const at = (path: string) => ({ root, path: path as DocumentPath });

  async function pathsIn(): Promise<string[]> {
    const text = "SELECT path FROM recollect.documents WHERE space = $1 ORDER BY path";
    const [rows = []] = await database.read([space], { text, values: [space] });
    return rows.map(({ path }) => String(path));
  }

  /** No store writes what is no text; a migration brings it. */
  async function putBytes(path: string, bytes: Uint8Array): Promise<void> {
    const rev = revisionOf(Buffer.from(bytes));
    await database.transaction([space], (transaction) =>
      transaction.commit(
        {
          text: "INSERT INTO recollect.contents (space, rev, content) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
          values: [space, rev, Buffer.from(bytes)],
        },
        {
          text: "UPDATE recollect.documents SET rev = $3, size = $4, is_text = false WHERE space = $1 AND path = $2",
          values: [space, path, rev, bytes.length],
        },
        {
          text: `UPDATE recollect.changes SET rev = $3 WHERE space = $1 AND path = $2
            AND change = (SELECT last_change FROM recollect.spaces WHERE space = $1)`,
          values: [space, path, rev],
        },
      ),
    );
  }

  return {
    putAll: async (documents) => {
      const all = Object.entries(documents);
      const changes = all.map(([path, content]) => ({
        kind: "put" as const,
        at: at(path),
        content: Buffer.from(content).toString("utf8"),
      }));
      await store.commit(changes.map((change) => change.at).map(store.resolve), () => changes, outside);
      for (const [path, content] of all) {
        if (typeof content !== "string" && !isUtf8(content)) await putBytes(path, content);
      }
    },
    bytes: async (path) => {
      const [[row] = []] = await database.read([space], {
        text: `SELECT c.content FROM recollect.documents d JOIN recollect.contents c ON c.space = d.space AND c.rev = d.rev
          WHERE d.space = $1 AND d.path = $2`,
        values: [space, path],
      });
      return row && (row["content"] as Buffer);
    },
    remove: async (path) => {
      const gone = (await pathsIn()).filter((one) => one === path || one.startsWith(`${path}/`));
      const changes = gone.map((one) => ({ kind: "remove" as const, at: { root, path: one as ExistingPath } }));
      await store.commit(changes.map((change) => change.at).map(store.resolve), () => changes, outside);
    },
    paths: pathsIn,
  };
}

async function rowsIn(database: Database, spaces: readonly string[]): Promise<unknown> {
  const all = tables.map((table) => ({ text: `SELECT t.* FROM recollect.${table} t ORDER BY t::text` }));
  return database.read(spaces, ...all);
}
