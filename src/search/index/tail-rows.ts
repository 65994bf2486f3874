import { checksumAt } from "./checksum.ts";
import type { Connection } from "./connection.ts";
import { DamagedIndexError } from "./index-failure.ts";
import type { TailRow } from "./state-rows.ts";
import { packStored, type StoredDocument, unpackStored } from "./stored-document.ts";

export function insertTail(connection: Connection, number: number, document: StoredDocument): void {
  const packed = packStored(document);
  const values = [document.path, number, checksumAt(number, packed), packed];
  connection.run("INSERT INTO tail VALUES (?, ?, ?, ?)", ...values);
}

export function removeTail(connection: Connection, path: string): void {
  connection.run("DELETE FROM tail WHERE path = ?", path);
}

export function readTailDocument(connection: Connection, { path, number }: TailRow): StoredDocument {
  const row = connection.get("SELECT checksum, document FROM tail WHERE path = ?", path);
  const packed = row?.["document"];
  if (typeof packed !== "string" || checksumAt(number, packed) !== row?.["checksum"]) {
    throw connection.failure(new DamagedIndexError("A document of the tail is missing or changed."));
  }
  return unpackStored(path, number, packed);
}

/** The chunk has an older version of the document, or one that is gone. */
export function hideDocument(connection: Connection, chunk: number, path: string): void {
  connection.run("INSERT INTO hidden VALUES (?, ?)", chunk, path);
}
