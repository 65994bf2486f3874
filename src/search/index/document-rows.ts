import { checksumOf } from "./checksum.ts";
import type { Connection, Row } from "./connection.ts";
import { DamagedIndexError } from "./index-failure.ts";

/** A document as its row in the database says. */
export interface DocumentPlace {
  readonly path: string;
  readonly folder: string;
  /** Of the bytes that were indexed; 0 where they must be looked at again. */
  readonly stamp: number;
  /** Another one whenever it was put in; what is shown of it is kept by that. */
  readonly number: number;
  /** The chunk that it is in; 0 where it is in the tail. */
  readonly chunk: number;
}

export function readDocument(connection: Connection, path: string): DocumentPlace | undefined {
  const row = connection.get("SELECT * FROM documents WHERE path = ?", path);
  return row && toPlace(connection, row);
}

/** Names that lie between a path and what is below it, such as `a.md-b` between `a.md` and `a.md/b`, are few. */
const mostBetween = 8;
// A limit that is bound would be planned for anew each time.
const selectAt = `SELECT * FROM documents WHERE path >= ? AND path < ? LIMIT ${mostBetween}`;

/** The document of a path, and whether others may lie below that: one range is read far sooner than two rows. */
export function readAt(
  connection: Connection,
  path: string,
): { readonly document: DocumentPlace | undefined; readonly mayBeFolder: boolean } {
  const rows = connection.all(selectAt, path, `${path}0`);
  const own = rows.find((row) => row["path"] === path);
  return {
    document: own && toPlace(connection, own),
    mayBeFolder:
      path === "" || rows.length === mostBetween || rows.some((row) => String(row["path"]).startsWith(`${path}/`)),
  };
}

/** Those of a folder, or all. */
export function readDocuments(connection: Connection, folder?: string): readonly DocumentPlace[] {
  const rows =
    folder === undefined
      ? connection.all("SELECT * FROM documents")
      : connection.all("SELECT * FROM documents WHERE folder = ?", folder);
  return rows.map((row) => toPlace(connection, row));
}

/** A new one: where its folder has it already, the way to it by its path is lost, and SQLite refuses it. */
export function insertDocument(connection: Connection, place: DocumentPlace): void {
  writeDocument(connection, "INSERT", place);
}

/** It is in another chunk by now. */
export function moveDocument(connection: Connection, path: string, chunk: number): void {
  const place = readDocument(connection, path);
  if (!place) throw connection.failure(new DamagedIndexError("The index has lost the row of a document."));
  writeDocument(connection, "REPLACE", { ...place, chunk });
}

function writeDocument(
  connection: Connection,
  how: string,
  { path, folder, stamp, number, chunk }: DocumentPlace,
): void {
  connection.run(
    `${how} INTO documents VALUES (?, ?, ?, ?, ?, ?)`,
    ...[path, folder, stamp, number, chunk, checksumOf(path, folder, stamp, number, chunk)],
  );
}

export function removeDocument(connection: Connection, path: string): void {
  connection.run("DELETE FROM documents WHERE path = ?", path);
}

function toPlace(connection: Connection, row: Row): DocumentPlace {
  const path = String(row["path"]);
  const folder = String(row["folder"]);
  const stamp = Number(row["stamp"]);
  const number = Number(row["number"]);
  const chunk = Number(row["chunk"]);
  if (checksumOf(path, folder, stamp, number, chunk) !== row["checksum"]) {
    throw connection.failure(new DamagedIndexError("The row of a document is not what was written."));
  }
  return { path, folder, stamp, number, chunk };
}
