import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  createDisposableDatabase,
  type DisposableOptions,
  openDisposable,
} from "../../backends/files/disposable-database.ts";

export interface Access {
  readonly path: string;
  readonly count: number;
  /** ISO time of the last one. */
  readonly last: string;
}

/** What is counted: files of topics that were loaded, and documents that search and recall handed out. */
const tables = ["access", "recalled"] as const;
type AccessTable = (typeof tables)[number];

export interface AccessDatabase {
  /** Adds these counts to those of the paths of a root. */
  add(table: AccessTable, root: string, accesses: Iterable<Access>): void;
  list(table: AccessTable, root: string): Access[];
  close(): void;
}

/**
 * One small database a user, for all folders. Counting is no reason to fail a read: where it cannot be written nothing is
 * counted, and nothing else suffers.
 */
export function openAccessDatabase(folder: string): AccessDatabase {
  const database = createDisposableDatabase(countsIn(folder));
  return {
    add: (table, root, accesses) => {
      database.use((one) => {
        const statement = one.prepare(
          `INSERT INTO ${table} SELECT ?, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?) WHERE true
           ON CONFLICT DO UPDATE SET count = count + excluded.count, last = excluded.last`,
        );
        const rows = Array.from(accesses, ({ path, count, last }) => [path, count, last]);
        statement.run(root, JSON.stringify(rows));
      });
    },
    list: (table, root) => {
      if (!database.isThere()) return [];
      const select = `SELECT path, count, last FROM ${table} WHERE root = ? ORDER BY path`;
      return (database.use((one) => one.prepare(select).all(root)) ?? []) as unknown as Access[];
    },
    close: database.close,
  };
}

/** Forgets paths for good: what was deleted stays in no page of the file. */
export function cleanAccessStats(folder: string, isForbidden: (path: string) => boolean): void {
  const counts = countsIn(folder);
  if (!existsSync(counts.file)) return;
  const database = openDisposable(counts);
  try {
    const forbiddenIn = (table: AccessTable) =>
      database
        .prepare(`SELECT DISTINCT path FROM ${table}`)
        .all()
        .map(({ path }) => String(path))
        .filter(isForbidden);
    const forbidden = tables.flatMap((table) => forbiddenIn(table).map((path) => ({ table, path })));
    if (forbidden.length === 0) return;
    database.exec("PRAGMA secure_delete = ON");
    for (const { table, path } of forbidden) database.prepare(`DELETE FROM ${table} WHERE path = ?`).run(path);
    database.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    database.close();
  }
}

function countsIn(folder: string): DisposableOptions {
  return {
    file: join(folder, "access.sqlite"),
    begin: [
      "PRAGMA busy_timeout = 200; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF",
      // A table each, and not a column that says which: an older Recollect goes on with the one that it knows.
      ...tables.map(
        (table) =>
          `CREATE TABLE IF NOT EXISTS ${table} (root TEXT, path TEXT, count INTEGER, last TEXT, PRIMARY KEY (root, path)) WITHOUT ROWID`,
      ),
    ].join(";"),
  };
}
