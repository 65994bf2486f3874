import { crc32 } from "node:zlib";

/** SQLite notices most broken pages, but not a changed byte in what we wrote. */
export function checksumOf(...values: readonly (string | number)[]): number {
  return crc32(values.join("\0"));
}

/** Of what lies where it belongs: the right thing in a wrong place is wrong. */
export function checksumAt(place: number, what: Uint8Array | string): number {
  return crc32(what, place % 2 ** 32);
}
