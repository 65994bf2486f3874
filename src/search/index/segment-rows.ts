import { checksumAt, checksumOf } from "./checksum.ts";
import type { Connection, Row } from "./connection.ts";
import { DamagedIndexError } from "./index-failure.ts";
import { type PieceKind, pieceId, pieceRange, type SegmentImage } from "./segment-image.ts";

/** A segment as its row in the database says. */
export interface SegmentRow {
  readonly id: number;
  /** The numbers that its documents' segments had when they were written: no other segment has one in between. */
  readonly oldest: number;
  readonly newest: number;
  readonly documents: number;
  readonly units: number;
  readonly dimensions: number;
  readonly deadDocuments: number;
  readonly deadUnits: number;
}

export interface DeadDocument {
  readonly document: number;
  readonly first: number;
  readonly units: number;
}

/** Oldest first. A row that is changed, missing, or too many is noticed by the seal of all of them. */
export function readSegments(connection: Connection): readonly SegmentRow[] {
  const rows = allRows(connection);
  if (metaNumber(connection, "seal") !== sealOf(metaNumber(connection, "next"), rows)) {
    throw connection.failure(new DamagedIndexError("The list of segments is not what was written."));
  }
  return rows;
}

/** After every change of the segments, in the same transaction. */
export function sealSegments(connection: Connection): void {
  const seal = sealOf(metaNumber(connection, "next"), allRows(connection));
  // What was not changed is not written: other processes would have to look at it again.
  if (metaNumber(connection, "seal") !== seal) setMeta(connection, "seal", seal);
}

export function sealOf(next: number, rows: readonly SegmentRow[]): number {
  return checksumOf(next, ...rows.flatMap((row) => Object.values(row)));
}

function allRows(connection: Connection): readonly SegmentRow[] {
  return connection.all("SELECT * FROM segments ORDER BY oldest").map(toSegmentRow);
}

function metaNumber(connection: Connection, key: "next" | "seal"): number {
  return Number(connection.get("SELECT value FROM meta WHERE key = ?", key)?.["value"]);
}

function setMeta(connection: Connection, key: "next" | "seal", value: number): void {
  connection.run("UPDATE meta SET value = ? WHERE key = ?", value, key);
}

/** Answers its number, which no segment had before. */
export function insertSegment(
  connection: Connection,
  { documents, units, dimensions, pieces }: SegmentImage,
  range?: { readonly oldest: number; readonly newest: number },
): number {
  const id = metaNumber(connection, "next");
  setMeta(connection, "next", id + 1);
  const { oldest, newest } = range ?? { oldest: id, newest: id };
  connection.run(
    "INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?, 0, 0)",
    ...[id, oldest, newest, documents, units, dimensions],
  );
  for (const { kind, number, bytes } of pieces) {
    const place = pieceId(id, kind, number);
    connection.run("INSERT INTO pieces VALUES (?, ?, ?)", place, checksumAt(place, bytes), bytes);
  }
  return id;
}

export function removeSegment(connection: Connection, segment: number): void {
  const { from, until } = pieceRange(segment);
  connection.run("DELETE FROM pieces WHERE id >= ? AND id < ?", from, until);
  connection.run("DELETE FROM dead WHERE segment = ?", segment);
  connection.run("DELETE FROM segments WHERE id = ?", segment);
}

export function readPiece(connection: Connection, segment: number, kind: PieceKind, number: number): Uint8Array {
  const place = pieceId(segment, kind, number);
  const row = connection.get("SELECT checksum, bytes FROM pieces WHERE id = ?", place);
  const bytes = row?.["bytes"];
  if (!(bytes instanceof Uint8Array) || checksumAt(place, bytes) !== row?.["checksum"]) {
    throw connection.failure(new DamagedIndexError("A piece of the search index is missing or changed."));
  }
  return bytes;
}

export function insertDead(connection: Connection, segment: number, { document, first, units }: DeadDocument): void {
  connection.run(
    "INSERT INTO dead VALUES (?, ?, ?, ?, ?)",
    ...[segment, document, first, units, checksumOf(segment, document, first, units)],
  );
  connection.run(
    "UPDATE segments SET dead_documents = dead_documents + 1, dead_units = dead_units + ? WHERE id = ?",
    ...[units, segment],
  );
}

/** All of them: what is dead stays so, and each row is right by itself, so their number tells whether one is missing. */
export function readDead(connection: Connection, { id, deadDocuments }: SegmentRow): readonly DeadDocument[] {
  const rows = connection.all("SELECT document, first, units, checksum FROM dead WHERE segment = ?", id);
  const dead = new Map<number, DeadDocument>();
  for (const { document, first, units, checksum } of rows) {
    const one = { document: Number(document), first: Number(first), units: Number(units) };
    if (checksum === checksumOf(id, one.document, one.first, one.units)) dead.set(one.document, one);
  }
  if (dead.size !== deadDocuments) {
    throw connection.failure(new DamagedIndexError("The list of what is dead is not what was written."));
  }
  return [...dead.values()];
}

function toSegmentRow(row: Row): SegmentRow {
  return {
    id: Number(row["id"]),
    oldest: Number(row["oldest"]),
    newest: Number(row["newest"]),
    documents: Number(row["documents"]),
    units: Number(row["units"]),
    dimensions: Number(row["dimensions"]),
    deadDocuments: Number(row["dead_documents"]),
    deadUnits: Number(row["dead_units"]),
  };
}
