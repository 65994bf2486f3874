import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { encodeEnd, encodeHeader, encodeName, extensionBytes, trailerBytes } from "./git-index.ts";
import { isObject, parseJson } from "./json.ts";

/** A folder as it was when all of its documents had been the same for a while. */
export interface KeptFolder {
  readonly path: string;
  /** Of the folder itself. */
  readonly stamp: string;
  /** Of its documents, and how many those are. */
  readonly digest: number;
  readonly count: number;
  /** The names of the folders in it. */
  readonly folders: readonly string[];
}

/** What a look says beside its documents, which are in it as in an index of git. */
export interface Look {
  readonly root: string;
  readonly folders: readonly KeptFolder[];
  /** How many documents there are, and the checksum of what is said of them. */
  readonly count: number;
  readonly checksum: number;
}

/** The file of a look that is open. */
export interface LookFile extends Look {
  readonly written: number;
  /** False where something of a document is not as it was written. */
  isWhole(): boolean;
  /** False where another one has taken its place. */
  isInPlace(): boolean;
  close(): void;
}

const format = 1;
const extension = "RCLT";
/** The checksum and the length of what the extension says: it is found from the end of the file. */
const tailBytes = 8;
const mostBytes = 64 * 1024 * 1024;
const pieceBytes = 1024 * 1024;

/**
 * The name of a file that is never there. It is the first one in every look: a program that does not tell that it is
 * gone has not compared anything.
 */
export const neverThere = "\u0001";

/** What begins the file, before the entries of documents. */
export function encodeBeginning(count: number): Buffer {
  return Buffer.concat([encodeHeader(count + 1), encodeName(neverThere)]);
}

const beginningBytes = encodeBeginning(0).length;

/** What ends the file, after the entries of documents. Undefined where it would be larger than anybody reads. */
export function encodeEnding({ folders, ...look }: Look): Buffer | undefined {
  const rows: FolderRow[] = folders.map(({ path, stamp, digest, count, folders: below }) => {
    return [path, stamp, digest, count, below];
  });
  const text = Buffer.from(JSON.stringify({ format, ...look, folders: rows }));
  if (text.length > mostBytes) return undefined;
  const tail = Buffer.alloc(tailBytes);
  tail.writeUInt32BE(crc32(text), 0);
  tail.writeUInt32BE(text.length, 4);
  return encodeEnd(extension, Buffer.concat([text, tail]));
}

type FolderRow = readonly [path: string, stamp: string, digest: number, count: number, folders: readonly string[]];

/** A look that says nothing. */
export function encodeNothing(root: string): Buffer {
  const ending = encodeEnding({ root, folders: [], count: 0, checksum: 0 });
  return Buffer.concat([encodeBeginning(0), ending ?? Buffer.alloc(0)]);
}

/** Undefined where there is none, or it is of another root, of another version or damaged. */
export function openLook(file: string, root: string): LookFile | undefined {
  let descriptor: number | undefined;
  try {
    // What is no file might never open.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(descriptor, { bigint: true });
    const found = stat.isFile() ? readEnding(descriptor, Number(stat.size), root) : undefined;
    const opened = descriptor;
    // Until it is closed, no other file can have its number.
    const close = () => closeSync(opened);
    if (!found) {
      close();
      return undefined;
    }
    return {
      ...found,
      written: Number(stat.mtimeMs),
      isWhole: () => isWhole(opened, found),
      isInPlace: () => isSame(stat, lstatSync(file, { bigint: true, throwIfNoEntry: false })),
      close,
    };
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function isSame(before: BigIntStats, now: BigIntStats | undefined): boolean {
  return now !== undefined && now.ino === before.ino && now.dev === before.dev && now.ctimeNs === before.ctimeNs;
}

interface Found extends Look {
  /** Where the entries end. */
  readonly end: number;
}

function readEnding(descriptor: number, size: number, root: string): Found | undefined {
  const tail = readAt(descriptor, size - trailerBytes - tailBytes, tailBytes);
  const length = tail?.readUInt32BE(4) ?? 0;
  if (!tail || length > mostBytes) return undefined;
  const textAt = size - trailerBytes - tailBytes - length;
  const text = readAt(descriptor, textAt, length);
  if (!text || crc32(text) !== tail.readUInt32BE(0)) return undefined;
  const found = parseJson(text.toString());
  if (!isObject(found) || found["format"] !== format || found["root"] !== root) return undefined;
  // Its checksum says that it is what this version wrote.
  const { folders, ...look } = found as unknown as Omit<Look, "folders"> & { readonly folders: readonly FolderRow[] };
  return {
    ...look,
    folders: folders.map(([path, stamp, digest, count, below]) => ({ path, stamp, digest, count, folders: below })),
    end: textAt - extensionBytes,
  };
}

function isWhole(descriptor: number, { end, count, checksum }: Found): boolean {
  if (!readAt(descriptor, 0, beginningBytes)?.equals(encodeBeginning(count))) return false;
  let sum = 0;
  for (let at = beginningBytes; at < end; at += pieceBytes) {
    const piece = readAt(descriptor, at, Math.min(pieceBytes, end - at));
    if (!piece) return false;
    sum = crc32(piece, sum);
  }
  return sum === checksum;
}

/** Undefined where the file is too short for it. */
function readAt(descriptor: number, at: number, length: number): Buffer | undefined {
  if (at < 0) return undefined;
  const bytes = Buffer.alloc(length);
  return readSync(descriptor, bytes, 0, length, at) === length ? bytes : undefined;
}
