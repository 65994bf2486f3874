import { type BigIntStats, closeSync, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { encodeEnd, encodeHeader, extensionBytes, headerBytes, trailerBytes } from "./git-index.ts";
import { isObject, parseJson } from "./json.ts";

/** A folder as it was when all of its documents had been the same for a while. */
export interface KeptFolder {
  readonly path: string;
  /** Of the folder itself: another one where a name in it came or went. */
  readonly stamp: string;
  /** Of its documents. */
  readonly digest: number;
  /** The names of the folders in it that have documents, or may. */
  readonly folders: readonly string[];
}

/** A file of kept folders that is open. Its documents are in it as in an index of git. */
export interface KeptFile {
  readonly folders: ReadonlyMap<string, KeptFolder>;
  readonly written: number;
  /** False where an entry is not as it was written. */
  isWhole(): boolean;
  /** False where another one has taken its place. */
  isInPlace(): boolean;
  close(): void;
}

type FolderRow = readonly [path: string, stamp: string, digest: number, folders: readonly string[]];

const format = 1;
const extension = "RCLT";
/** The checksum and the length of what the extension says: it is found from the end of the file. */
const tailBytes = 8;
const mostBytes = 64 * 1024 * 1024;
const pieceBytes = 1024 * 1024;

export interface Kept {
  readonly root: string;
  readonly folders: readonly KeptFolder[];
  /** How many entries there are, and their checksum. */
  readonly count: number;
  readonly checksum: number;
}

/** What ends the file, after the entries. */
export function encodeFolders({ folders, ...kept }: Kept): Buffer {
  const rows: FolderRow[] = folders.map(({ path, stamp, digest, folders: below }) => [path, stamp, digest, below]);
  const text = Buffer.from(JSON.stringify({ format, ...kept, folders: rows }));
  const tail = Buffer.alloc(tailBytes);
  tail.writeUInt32BE(crc32(text), 0);
  tail.writeUInt32BE(text.length, 4);
  return encodeEnd(extension, Buffer.concat([text, tail]));
}

/** Undefined where there is none, or it is of another root, of another version or damaged. */
export function openKeptFile(file: string, root: string): KeptFile | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "r");
    const stat = fstatSync(descriptor, { bigint: true });
    const end = readEnd(descriptor, Number(stat.size), root);
    if (!end) {
      closeSync(descriptor);
      return undefined;
    }
    const opened = descriptor;
    return {
      folders: new Map(end.folders.map((folder) => [folder.path, folder])),
      written: Number(stat.mtimeMs),
      isWhole: () => isWhole(opened, end),
      isInPlace: () => isSame(stat, lstatSync(file, { bigint: true, throwIfNoEntry: false })),
      // Until then no other file can have its number.
      close: () => closeSync(opened),
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

interface End extends Kept {
  /** Where the entries end. */
  readonly at: number;
}

function readEnd(descriptor: number, size: number, root: string): End | undefined {
  const tail = readAt(descriptor, size - trailerBytes - tailBytes, tailBytes);
  const length = tail?.readUInt32BE(4) ?? 0;
  if (!tail || length > mostBytes) return undefined;
  const textAt = size - trailerBytes - tailBytes - length;
  const text = readAt(descriptor, textAt, length);
  if (!text || crc32(text) !== tail.readUInt32BE(0)) return undefined;
  const found = parseJson(text.toString());
  if (!isObject(found) || found["format"] !== format || found["root"] !== root) return undefined;
  // Its checksum says that it is what this version wrote.
  const { count, checksum, folders } = found as unknown as Omit<Kept, "folders"> & {
    readonly folders: readonly FolderRow[];
  };
  return {
    root,
    folders: folders.map(([path, stamp, digest, below]) => ({ path, stamp, digest, folders: below })),
    count,
    checksum,
    at: textAt - extensionBytes,
  };
}

function isWhole(descriptor: number, { at: end, count, checksum }: End): boolean {
  if (!readAt(descriptor, 0, headerBytes)?.equals(encodeHeader(count))) return false;
  let sum = 0;
  for (let at = headerBytes; at < end; at += pieceBytes) {
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

/** Another one where a name in the folder came, went or was given to something else. */
export function stampOfFolder({ ino, ctimeNs, mtimeNs }: BigIntStats): string {
  return `${ino}-${ctimeNs}-${mtimeNs}`;
}
