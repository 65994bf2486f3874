import { isUtf8 } from "node:buffer";
import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from "node:fs";
import { RecollectError } from "../../kernel/errors.ts";
import { type Rev, revisionOf } from "../../kernel/revision.ts";
import type { MeasuredDocument, StoredDocument } from "../../kernel/store.ts";
import { isFresh, isKept, openAuxiliary } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { isOpenLock } from "./lock-file.ts";
import { hasCode, staleError } from "./storage-error.ts";

/** A document as its bytes, with what a replacement must keep. */
export interface DocumentFile {
  readonly bytes: Buffer;
  readonly rev: Rev;
  readonly stat: BigIntStats;
  /** Whether the file has another name elsewhere, by which it can change. */
  readonly isShared?: boolean;
}

// Without O_NONBLOCK, opening a named pipe would hang for ever.
export const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Undefined where there is none; NOT_A_DOCUMENT for folders, links, pipes, devices, and files of another user that have
 * a second name.
 */
export function readDocumentFile(folder: Directory, name: string, maxBytes: number): DocumentFile | undefined {
  return ownFile(folder, name, () => readPlainFile(folder, name, maxBytes));
}

/** What tells whether a file is text without reading all of it. */
const beginningBytes = 8 * 1024;

/** The same without its content: what is no text is told from its beginning. */
export function measureDocumentFile(folder: Directory, name: string, maxBytes: number): MeasuredDocument | undefined {
  const file = ownFile(folder, name, () =>
    openPlainFile(folder, name, maxBytes, (descriptor, stat) => {
      const bytes = Buffer.allocUnsafe(Math.min(Number(stat.size), beginningBytes));
      assertTextBegins(bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0)), name);
      return { stat };
    }),
  );
  return file && { size: Number(file.stat.size), modified: Number(file.stat.mtimeMs) };
}

/** Looks again where it was replaced meanwhile. */
function ownFile<File extends Pick<DocumentFile, "stat">>(
  folder: Directory,
  name: string,
  look: () => File | undefined,
): File | undefined {
  for (let attempt = 0; ; attempt += 1) {
    const file = look();
    const standing = file && standingOf(folder, name, file);
    if (standing === undefined || standing === "own") return file;
    // A backup by hard links gives each document a second name. A file of another user is none that was backed up here.
    if (standing === "shared" && file && file.stat.uid === folder.stat().uid) {
      return Object.assign(file, { isShared: true });
    }
    if (standing === "shared") throw notADocument(name, "hard-link");
    if (attempt === maxAttempts) throw staleError("the document is replaced all the time");
  }
}

const maxAttempts = 50;

/** The same for our own files, which may have a second name. */
export function readPlainFile(folder: Directory, name: string, maxBytes: number): DocumentFile | undefined {
  return openPlainFile(folder, name, maxBytes, (descriptor, stat) =>
    withRevision(readAll(descriptor, Number(stat.size)), stat),
  );
}

function openPlainFile<File>(
  folder: Directory,
  name: string,
  maxBytes: number,
  use: (descriptor: number, stat: BigIntStats) => File,
): File | undefined {
  if (isOpenLock(folder.at(name))) throw notADocument(name, "hard-link");
  let descriptor: number;
  try {
    descriptor = openSync(folder.at(name), readFlags);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    if (hasCode(error, "ELOOP")) throw notADocument(name, "link");
    if (hasCode(error, "ENXIO", "ENODEV")) throw notADocument(name, "special");
    throw error;
  }
  try {
    const stat = fstatSync(descriptor, { bigint: true });
    if (stat.isDirectory()) throw notADocument(name, "folder");
    if (!stat.isFile()) throw notADocument(name, "special");
    if (stat.size > maxBytes) throw tooLarge(name, Number(stat.size), maxBytes);
    verifyByPath(folder, name, stat);
    return use(descriptor, stat);
  } finally {
    closeSync(descriptor);
  }
}

/** Hashed when asked for, which is half of the cost of reading a large document. */
function withRevision(bytes: Buffer, stat: BigIntStats): DocumentFile {
  let rev: Rev | undefined;
  return {
    bytes,
    stat,
    get rev() {
      rev ??= revisionOf(bytes);
      return rev;
    },
  };
}

export function toStoredDocument(file: DocumentFile, name: string): StoredDocument {
  let content: string | undefined;
  return {
    // Decoded when asked for: a document that is not text can still be replaced, moved or removed.
    get content() {
      content ??= decode(file.bytes, name);
      return content;
    },
    get rev() {
      return file.rev;
    },
    modified: Number(file.stat.mtimeMs),
    ...sharedOf(file),
  };
}

/** The same for one that must be text. */
export function toStoredText(file: DocumentFile, name: string): StoredDocument {
  return {
    content: decode(file.bytes, name),
    get rev() {
      return file.rev;
    },
    modified: Number(file.stat.mtimeMs),
    ...sharedOf(file),
  };
}

function sharedOf({ isShared }: DocumentFile): Pick<StoredDocument, "isShared"> {
  return isShared ? { isShared } : {};
}

/** Where a descriptor is not the folder itself, a link may have been put in between: compare afterwards. */
function verifyByPath(folder: Directory, name: string, opened: BigIntStats): void {
  folder.verify();
  if (constants.O_NOFOLLOW) return;
  const now = lstatSync(folder.at(name), { bigint: true });
  if (now.ino !== opened.ino || now.dev !== opened.dev) throw notADocument(name, "link");
}

/**
 * A second hard link may lead out of the root. Our own second links, to a document that is just being
 * replaced or created, are in the auxiliary folder, and they come and go while we look. Asked by name
 * and not by descriptor: a link to an outside file that is gone again leaves that file with one name.
 */
export function standingOf(
  folder: Directory,
  name: string,
  { stat }: Pick<DocumentFile, "stat">,
): "own" | "shared" | "replaced" {
  const look = () => lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const before = look();
    if (before?.ino !== stat.ino || before.dev !== stat.dev) return "replaced";
    // One call told both: the file has one name, and it is this one.
    if (before.nlink === 1n) return "own";
    const ours = countOwnLinks(folder, stat.ino);
    // Links that come and go while they are counted must not add up: each of them changes the file's ctime.
    if (look()?.ctimeNs !== before.ctimeNs || countOwnLinks(folder, stat.ino) !== ours) continue;
    if (before.nlink <= 1n + BigInt(ours)) return "own";
  }
  return "shared";
}

function countOwnLinks(folder: Directory, inode: bigint): number {
  const auxiliary = openAuxiliary(folder);
  if (!auxiliary) return 0;
  try {
    const names = readdirSync(auxiliary.at(".")).filter((name) => isFresh(name) || isKept(name));
    return names.filter((name) => inodeOf(auxiliary, name) === inode).length;
  } finally {
    auxiliary.close();
  }
}

function inodeOf(folder: Directory, name: string): bigint | undefined {
  return lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false })?.ino;
}

export function readAll(descriptor: number, size: number): Buffer {
  // One byte more than the size tells a file that grew since; then go on until its end.
  let bytes = Buffer.allocUnsafe(size + 1);
  for (let length = 0; ; ) {
    const read = readSync(descriptor, bytes, length, bytes.length - length, length);
    length += read;
    if (read === 0 || length < bytes.length) return bytes.subarray(0, length);
    bytes = Buffer.concat([bytes, Buffer.allocUnsafe(bytes.length)]);
  }
}

/** Buffer's own decoding keeps a byte order mark as part of the text (KER-11). */
function decode(bytes: Buffer, name: string): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw notUtf8(name);
}

function assertTextBegins(bytes: Buffer, name: string): void {
  // A character may be cut in two at the end of a beginning.
  const mostCut = bytes.length === beginningBytes ? 3 : 0;
  for (let cut = 0; cut <= mostCut; cut += 1) if (isUtf8(bytes.subarray(0, bytes.length - cut))) return;
  throw notUtf8(name);
}

function notUtf8(name: string): RecollectError {
  return new RecollectError("NOT_UTF8", `“${name}” is not UTF-8 text. Convert it, then read it again.`, {
    data: { name },
  });
}

export function notADocument(name: string, reason: "folder" | "link" | "special" | "hard-link"): RecollectError {
  const says = {
    folder: "is a folder, not a document",
    link: "is a symbolic link, which is never followed",
    special: "is not an ordinary file",
    "hard-link": "is a file of another user that has a second name elsewhere (a hard link); replace it by a copy",
  }[reason];
  return new RecollectError("NOT_A_DOCUMENT", `“${name}” ${says}.`, { data: { name, reason } });
}

function tooLarge(name: string, size: number, limit: number): RecollectError {
  return new RecollectError(
    "TOO_LARGE",
    `“${name}” has ${size} bytes, over the reading limit of ${limit}. Split it with an editor.`,
    {
      data: { size, limit },
    },
  );
}
