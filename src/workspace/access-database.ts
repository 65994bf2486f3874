import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { makeFolders } from "./make-folders.ts";

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
 * One small database a user, for all folders. Derived and disposable: where it is damaged it begins anew, where it
 * cannot be written nothing is counted, and nothing else suffers.
 */
export function openAccessDatabase(folder: string): AccessDatabase {
  const file = join(folder, "access.sqlite");
  let database: DatabaseSync | undefined;

  /** Undefined where it cannot be done: counting is no reason to fail a read. */
  function use<Result>(run: (database: DatabaseSync) => Result): Result | undefined {
    for (const isLast of [false, true]) {
      try {
        database ??= openDatabase(folder, file);
        return run(database);
      } catch (error) {
        close();
        if (isLast || !isDamaged(error)) return undefined;
        // Whoever has it open goes on with what it had; there is nothing in it that could not be counted again.
        if (!removed(file)) return undefined;
      }
    }
    return undefined;
  }

  function close(): void {
    try {
      database?.close();
    } catch {
      // It is closed already.
    }
    database = undefined;
  }

  return {
    add: (table, root, accesses) => {
      use((one) => {
        const statement = one.prepare(
          `INSERT INTO ${table} SELECT ?, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?) WHERE true
           ON CONFLICT DO UPDATE SET count = count + excluded.count, last = excluded.last`,
        );
        const rows = Array.from(accesses, ({ path, count, last }) => [path, count, last]);
        statement.run(root, JSON.stringify(rows));
      });
    },
    list: (table, root) => {
      // Whoever only looks makes no database.
      if (!database && !existsSync(file)) return [];
      const select = `SELECT path, count, last FROM ${table} WHERE root = ? ORDER BY path`;
      return (use((one) => one.prepare(select).all(root)) ?? []) as unknown as Access[];
    },
    close,
  };
}

/** Forgets paths for good: what was deleted stays in no page of the file. */
export function cleanAccessStats(folder: string, isForbidden: (path: string) => boolean): void {
  if (!existsSync(join(folder, "access.sqlite"))) return;
  const database = openDatabase(folder, join(folder, "access.sqlite"));
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

function openDatabase(folder: string, file: string): DatabaseSync {
  makeFolders(folder, 0o700);
  // Loaded with the first use: most commands count nothing.
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database = new DatabaseSync(file);
  try {
    database.exec("PRAGMA busy_timeout = 200; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
    // A table each, and not a column that says which: an older Recollect goes on with the one that it knows.
    for (const table of tables) {
      database.exec(
        `CREATE TABLE IF NOT EXISTS ${table} (root TEXT, path TEXT, count INTEGER, last TEXT, PRIMARY KEY (root, path)) WITHOUT ROWID`,
      );
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const damaged: readonly unknown[] = [
  1, // SQLITE_ERROR: a table of that name with other columns
  11, // SQLITE_CORRUPT
  26, // SQLITE_NOTADB
];

function isDamaged(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && damaged.includes(error.errcode);
}

function removed(file: string): boolean {
  try {
    for (const ending of ["", "-wal", "-shm"]) rmSync(file + ending, { force: true });
    return true;
  } catch {
    return false;
  }
}
