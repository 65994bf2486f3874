import type { ShownUnit } from "../shown-units.ts";
import { checksumAt } from "./checksum.ts";
import type { Connection } from "./connection.ts";
import { DamagedIndexError } from "./index-failure.ts";

export function packShown({ title, breadcrumb, lines, text }: ShownUnit): string {
  return JSON.stringify([title, breadcrumb, lines.from, lines.to, text]);
}

/** What is shown of units, each in the row of its place: so an answer opens no document, and takes none apart. */
export function insertShown(connection: Connection, first: number, units: readonly string[]): void {
  for (const [index, packed] of units.entries()) {
    connection.run("INSERT INTO shown VALUES (?, ?, ?)", first + index, checksumAt(first + index, packed), packed);
  }
}

export function readShown(connection: Connection, place: number): ShownUnit {
  const row = connection.get("SELECT checksum, unit FROM shown WHERE place = ?", place);
  const packed = String(row?.["unit"]);
  if (row?.["checksum"] !== checksumAt(place, packed)) {
    throw connection.failure(new DamagedIndexError("What is shown of a unit is missing or changed."));
  }
  const [title, breadcrumb, from, to, text] = JSON.parse(packed);
  return { title, breadcrumb, lines: { from, to }, text };
}

export function removeShown(connection: Connection, first: number, count: number): void {
  connection.run("DELETE FROM shown WHERE place >= ? AND place < ?", first, first + count);
}
