import type { ShownUnit } from "../shown-units.ts";
import { createByteWriter, reserve, writtenBytes } from "./byte-writer.ts";
import { checksumAt } from "./checksum.ts";
import type { Connection } from "./connection.ts";
import type { PackedUnits } from "./index-change.ts";
import { DamagedIndexError } from "./index-failure.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

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

/** A unit in the row of its place: so an answer opens no document, and takes none apart. */
export function insertShown(connection: Connection, place: number, { bytes, ends }: PackedUnits, unit: number): void {
  const packed = bytes.subarray(ends[unit - 1] ?? 0, ends[unit]);
  connection.run("INSERT INTO shown VALUES (?, ?, ?)", place, checksumAt(place, packed), packed);
}

export function readShown(connection: Connection, place: number): ShownUnit {
  const row = connection.get("SELECT checksum, unit FROM shown WHERE place = ?", place);
  const packed = row?.["unit"];
  if (!(packed instanceof Uint8Array) || row?.["checksum"] !== checksumAt(place, packed)) {
    throw connection.failure(new DamagedIndexError("What is shown of a unit is missing or changed."));
  }
  const [title, breadcrumb, from, to, text] = JSON.parse(decoder.decode(packed));
  return { title, breadcrumb, lines: { from, to }, text };
}

export function removeShown(connection: Connection, first: number, count: number): void {
  connection.run("DELETE FROM shown WHERE place >= ? AND place < ?", first, first + count);
}
