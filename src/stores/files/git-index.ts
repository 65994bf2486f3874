import type { BigIntStats } from "node:fs";
import { secondsOf } from "./survey-stamp.ts";

/**
 * The bytes of git's index, version 2, as its documentation has them (gitformat-index): the names of files, and what
 * `lstat` said of each.
 */
const fixedBytes = 62;
const mostNameLength = 0xfff;
const [plainMode, executableMode] = [0o100644, 0o100755];

/** What a file of no bytes must have. Of others it says that they were never looked into, which nobody asks for. */
const emptyBlob = Buffer.from("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", "hex");

/** Zeros say that there is no checksum; git looks at it in none of the commands that only read. */
const trailer = Buffer.alloc(20);

const headerBytes = 12;
/** What comes before the content of an extension, and after it. */
export const extensionBytes = 8;
export const trailerBytes = trailer.length;

export function encodeHeader(entries: number): Buffer {
  const bytes = Buffer.alloc(headerBytes);
  bytes.write("DIRC", "latin1");
  bytes.writeUInt32BE(2, 4);
  bytes.writeUInt32BE(entries, 8);
  return bytes;
}

/** Entries follow each other in the order of their names' bytes. */
export function encodeEntry(path: string, stat: BigIntStats): Buffer {
  const bytes = encodeName(path);
  const fields = [
    ...secondsOf(stat.ctimeNs),
    ...secondsOf(stat.mtimeNs),
    stat.dev,
    stat.ino,
    BigInt((stat.mode & 0o100n) === 0n ? plainMode : executableMode),
    stat.uid,
    stat.gid,
    stat.size,
  ];
  for (const [at, field] of fields.entries()) bytes.writeUInt32BE(Number(BigInt.asUintN(32, field)), at * 4);
  return bytes;
}

/** An entry that is no file's. */
export function encodeName(path: string): Buffer {
  const name = Buffer.from(path);
  // At least one zero ends the name, and as many as make the next entry begin at a multiple of eight.
  const bytes = Buffer.allocUnsafe(Math.floor((fixedBytes + name.length + 8) / 8) * 8).fill(0);
  bytes.writeUInt32BE(plainMode, 24);
  emptyBlob.copy(bytes, 40);
  bytes.writeUInt16BE(Math.min(name.length, mostNameLength), 60);
  name.copy(bytes, fixedBytes);
  return bytes;
}

/** After the last entry: one extension, which git passes over since its name begins with a capital, and the end. */
export function encodeEnd(extension: string, content: Buffer): Buffer {
  const head = Buffer.alloc(extensionBytes);
  head.write(extension, "latin1");
  head.writeUInt32BE(content.length, 4);
  return Buffer.concat([head, content, trailer]);
}
