import { type DigestSums, digestPart } from "../../kernel/folder-digest.ts";
import { checksumOf } from "./checksum.ts";
import type { Connection, Row } from "./connection.ts";
import { type DocumentPlace, readDocuments } from "./document-rows.ts";
import { DamagedIndexError } from "./index-failure.ts";

/** A folder as its row in the database says. */
export interface FolderRow extends DigestSums {
  readonly folder: string;
  readonly documents: number;
  /** How many of them must be looked at again. */
  readonly unsettled: number;
}

/** That none is missing shows in how many documents they have together. */
export function readFolders(connection: Connection, documents: number): readonly FolderRow[] {
  const rows = connection.all("SELECT * FROM folders").map((row) => toFolderRow(connection, row));
  const together = rows.reduce((sum, row) => sum + row.documents, 0);
  expectCount(connection, together, documents);
  return rows;
}

/** The names alone of the one of this path and of all below it. */
export function readFoldersAt(connection: Connection, path: string): readonly string[] {
  const after = path === "" ? "\u{10ffff}" : `${path}0`;
  // With few others in between, such as `a-b` between `a` and `a/b`: one range is read far sooner than two.
  const rows = connection.all("SELECT folder FROM folders WHERE folder >= ? AND folder < ?", path, after);
  const folders = rows.map(({ folder }) => String(folder));
  return path === "" ? folders : folders.filter((folder) => folder === path || folder.startsWith(`${path}/`));
}

function readFolder(connection: Connection, folder: string): FolderRow {
  const row = connection.get("SELECT * FROM folders WHERE folder = ?", folder);
  return row ? toFolderRow(connection, row) : { folder, documents: 0, unsettled: 0, high: 0, low: 0 };
}

/** The folder's own documents, in no order: each of them once, or the way to one is lost. */
export function readDocumentsIn(connection: Connection, folder: string): readonly DocumentPlace[] {
  const documents = readDocuments(connection, folder);
  const { size } = new Set(documents.map(({ path }) => path));
  expectCount(connection, size, documents.length);
  expectCount(connection, size, readFolder(connection, folder).documents);
  return documents;
}

/** Gathers what becomes of the digests, so that each folder is written once. */
export function createFolderChanges(connection: Connection) {
  const changes = new Map<string, FolderRow>();

  function count({ folder, path, stamp }: Pick<DocumentPlace, "folder" | "path" | "stamp">, sign: 1 | -1): void {
    const before = changes.get(folder) ?? readFolder(connection, folder);
    const part = digestPart({ path, stamp });
    changes.set(folder, {
      folder,
      documents: before.documents + sign,
      unsettled: before.unsettled + (stamp === 0 ? sign : 0),
      high: (before.high + sign * part.high) >>> 0,
      low: (before.low + sign * part.low) >>> 0,
    });
  }

  return {
    add: (document: Pick<DocumentPlace, "folder" | "path" | "stamp">) => count(document, 1),
    remove: (document: DocumentPlace) => count(document, -1),
    /** When the documents are written. */
    write() {
      for (const row of changes.values()) writeFolder(connection, row);
    },
  };
}

function writeFolder(connection: Connection, { folder, documents, unsettled, high, low }: FolderRow): void {
  if (documents === 0) {
    connection.run("DELETE FROM folders WHERE folder = ?", folder);
    return;
  }
  connection.run(
    "INSERT OR REPLACE INTO folders VALUES (?, ?, ?, ?, ?, ?)",
    ...[folder, documents, unsettled, high, low, checksumOf(folder, documents, unsettled, high, low)],
  );
}

function toFolderRow(connection: Connection, row: Row): FolderRow {
  const folder = String(row["folder"]);
  const documents = Number(row["documents"]);
  const unsettled = Number(row["unsettled"]);
  const high = Number(row["high"]);
  const low = Number(row["low"]);
  if (checksumOf(folder, documents, unsettled, high, low) !== row["checksum"]) {
    throw connection.failure(new DamagedIndexError("The row of a folder is not what was written."));
  }
  return { folder, documents, unsettled, high, low };
}

function expectCount(connection: Connection, found: number, expected: number): void {
  if (found === expected) return;
  throw connection.failure(new DamagedIndexError("The index has lost documents of a folder, or has too many."));
}
