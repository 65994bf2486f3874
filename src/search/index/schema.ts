import type { DatabaseSync } from "node:sqlite";
import { sealOf } from "./state-rows.ts";

/** Changes with every change of the tables or of what lies in them. */
const format = 7;
/** "RcSx": tells our files from other programs' databases. */
const application = 0x52635378;

const tables = `
  CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
  CREATE TABLE documents(path TEXT PRIMARY KEY, folder TEXT NOT NULL, stamp REAL NOT NULL, number INTEGER NOT NULL,
    chunk INTEGER NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID;
  CREATE UNIQUE INDEX documents_by_folder ON documents(folder, path);
  CREATE TABLE folders(folder TEXT PRIMARY KEY, documents INTEGER NOT NULL, unsettled INTEGER NOT NULL,
    high INTEGER NOT NULL, low INTEGER NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE tail(path TEXT PRIMARY KEY, number INTEGER NOT NULL, checksum INTEGER NOT NULL, document TEXT NOT NULL)
    WITHOUT ROWID;
  CREATE TABLE hidden(chunk INTEGER, path TEXT, PRIMARY KEY(chunk, path)) WITHOUT ROWID;
  CREATE TABLE chunks(chunk INTEGER PRIMARY KEY, version INTEGER NOT NULL, documents INTEGER NOT NULL,
    units INTEGER NOT NULL, dimensions INTEGER NOT NULL);
  CREATE TABLE pieces(place INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, bytes BLOB NOT NULL);
  CREATE TABLE shown(place INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, unit BLOB NOT NULL);
`;

export function createTables(database: DatabaseSync, version: string): void {
  database.exec(`BEGIN; ${tables}; PRAGMA application_id = ${application}; PRAGMA user_version = ${format};`);
  const seal = sealOf({ next: 1, chunks: [], hidden: [], tail: [] });
  database.prepare("INSERT INTO meta VALUES ('version', ?), ('next', 1), ('seal', ?)").run(version, seal);
  database.exec("COMMIT");
}

/** False where another program, or another version of this one, made the database. */
export function isOurs(database: DatabaseSync, version: string): boolean {
  if (database.prepare("PRAGMA application_id").get()?.["application_id"] !== application) return false;
  if (database.prepare("PRAGMA user_version").get()?.["user_version"] !== format) return false;
  return database.prepare("SELECT value FROM meta WHERE key = 'version'").get()?.["value"] === version;
}

export function prepareDatabase(database: DatabaseSync, busyMilliseconds: number): void {
  database.exec(`PRAGMA busy_timeout = ${busyMilliseconds}`);
  database.exec("PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 8388608");
  // In KiB, filled as pages are read: what ten thousand notes show lies on more pages than the usual 2 MiB.
  database.exec("PRAGMA cache_size = -8192");
}
