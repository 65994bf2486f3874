import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type Unavailable, unavailable } from "./embedder.ts";

/** The table as it was made. Another one comes with another name, since its vectors cannot be compared with these. */
export const staticTableManifest = {
  name: "static-128",
  rows: 38_000,
  dims: 128,
  table: { file: "static-128.i8.bin", bytes: 4_940_008, crc32: 0x3007e213 },
  vocabulary: { file: "vocab.txt", bytes: 294_719, crc32: 0x480e7766 },
} as const;

export interface StaticTableFiles {
  readonly kind: "files";
  readonly vocabulary: Uint8Array;
  /** Float16 bits, one for each row. */
  readonly scales: Uint16Array;
  readonly rows: Int8Array;
}

/** Header: uint32 rows, uint32 dims; then the scales; then the rows. */
const headerBytes = 8;

/** Reads the whole table and believes nothing: a truncated or damaged one would rank nonsense first, silently. */
export function readStaticTableFiles(folder: string): StaticTableFiles | Unavailable {
  const { rows, dims } = staticTableManifest;
  const table = readChecked(folder, staticTableManifest.table);
  if (typeof table === "string") return withoutTable(`The table of meanings ${table}.`);
  const vocabulary = readChecked(folder, staticTableManifest.vocabulary);
  if (typeof vocabulary === "string") return withoutTable(`The vocabulary of the table of meanings ${vocabulary}.`);
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  if (view.getUint32(0, true) !== rows || view.getUint32(4, true) !== dims) {
    return withoutTable("The table of meanings has another format.");
  }
  return {
    kind: "files",
    vocabulary,
    scales: readScales(view, rows),
    rows: new Int8Array(table.buffer, table.byteOffset + headerBytes + rows * 2, rows * dims),
  };
}

function withoutTable(why: string): Unavailable {
  return unavailable(`${why} Search goes by words alone. To mend it, install Recollect again.`);
}

interface Expected {
  readonly file: string;
  readonly bytes: number;
  readonly crc32: number;
}

/** The bytes, or what is wrong with them. */
function readChecked(folder: string, expected: Expected): Buffer | string {
  const bytes = readBytes(join(folder, expected.file), expected.bytes);
  if (typeof bytes === "string") return bytes;
  return crc32(bytes) === expected.crc32 ? bytes : "is damaged";
}

function readBytes(path: string, expected: number): Buffer | string {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    return `cannot be opened (${codeOf(error)})`;
  }
  try {
    const { size } = fstatSync(file);
    if (size !== expected) return `has ${size} bytes instead of ${expected}`;
    // Of its own, not from the pool: the views on it need their alignment.
    const bytes = Buffer.allocUnsafeSlow(expected);
    const read = readSync(file, bytes, 0, expected, 0);
    return read === expected ? bytes : `ends after ${read} bytes`;
  } catch (error) {
    return `cannot be read (${codeOf(error)})`;
  } finally {
    closeSync(file);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}

function readScales(view: DataView, rows: number): Uint16Array {
  const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
  if (isLittleEndian) return new Uint16Array(view.buffer, view.byteOffset + headerBytes, rows);
  return Uint16Array.from({ length: rows }, (_, row) => view.getUint16(headerBytes + row * 2, true));
}
