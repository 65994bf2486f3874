import { crc32 } from "node:zlib";

/** SQLite notices most broken pages, but not a changed byte in what we wrote. */
export function checksumOf(...values: readonly (string | number)[]): number {
  return crc32(values.join("\0"));
}

/** Of the bytes where they belong: the right ones in a wrong place are wrong. */
export function checksumAt(place: number, bytes: Uint8Array): number {
  return crc32(bytes, checksumOf(place));
}
