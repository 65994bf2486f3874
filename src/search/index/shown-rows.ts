import type { ShownUnit } from "../shown-units.ts";
import { createByteWriter, reserve, writtenBytes } from "./byte-writer.ts";
import { checksumAt } from "./checksum.ts";
import type { Connection } from "./connection.ts";
import { DamagedIndexError } from "./index-failure.ts";

const encoder = new TextEncoder();

/** What answers show of all units, as it is written: one after the other, and where each ends. */
export interface PackedUnits {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
}

export function packShown(units: readonly ShownUnit[]): PackedUnits {
  const writer = createByteWriter();
  const ends = Uint32Array.from(units, ({ title, breadcrumb, lines, text }) => {
    const packed = JSON.stringify([title, breadcrumb, lines.from, lines.to, text]);
    reserve(writer, 3 * packed.length);
    writer.length += encoder.encodeInto(packed, writer.bytes.subarray(writer.length)).written;
    return writer.length;
  });
  return { bytes: writtenBytes(writer), ends };
}

/** More units than a document has. */
const placesOfDocument = 2 ** 22;

/** What is shown of a document's first unit is kept at this place, that of the others after it. */
export function shownPlace(number: number): number {
  return number * placesOfDocument;
}

/** A unit in the row of its place: so an answer opens no document, and takes none apart. */
export function insertShown(connection: Connection, place: number, { bytes, ends }: PackedUnits, unit: number): void {
  const packed = bytes.subarray(ends[unit - 1] ?? 0, ends[unit]);
  connection.run("INSERT INTO shown VALUES (?, ?, ?)", place, checksumAt(place, packed), packed);
}

/** So many with one statement, which costs far less than one each. */
const atOnce = 16;

/** Those at these places, which are ascending. */
export function readShown(connection: Connection, places: readonly number[]): ShownUnit[] {
  const units: ShownUnit[] = [];
  for (let from = 0; from < places.length; from += atOnce) {
    const some = places.slice(from, from + atOnce);
    const rows = connection.all(selections[some.length] as string, ...some);
    if (rows.length !== some.length) throw damage(connection);
    rows.forEach((row, index) => {
      const packed = row["unit"];
      if (typeof packed !== "string" || row["checksum"] !== checksumAt(some[index] as number, packed)) {
        throw damage(connection);
      }
      const [title, breadcrumb, from, to, text] = JSON.parse(packed);
      units.push({ title, breadcrumb, lines: { from, to }, text });
    });
  }
  return units;
}

/** By their number. As text: SQLite makes it sooner than bytes are handed over and decoded. */
const selections = Array.from({ length: atOnce + 1 }, (_, count) => {
  const places = Array(count).fill("?").join(", ");
  return `SELECT checksum, CAST(unit AS TEXT) AS unit FROM shown WHERE place IN (${places}) ORDER BY place`;
});

function damage(connection: Connection): unknown {
  return connection.failure(new DamagedIndexError("What is shown of a unit is missing or changed."));
}

/** All of a document. */
export function removeShown(connection: Connection, number: number): void {
  connection.run("DELETE FROM shown WHERE place >= ? AND place < ?", shownPlace(number), shownPlace(number + 1));
}
