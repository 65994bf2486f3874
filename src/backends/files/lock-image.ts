import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { RecollectError } from "../../kernel/errors.ts";
import type { Directory } from "./directory.ts";
import { hasCode, staleError } from "./storage-error.ts";
import { makeWholeFile } from "./whole-file.ts";

/** The version of everything in an auxiliary folder; kept in the lock itself, where it is read under the lock. */
export const formatVersion = 1;

const pageSize = 512;
const applicationId = 0x52434c54;
const magic = Buffer.from("SQLite format 3\0", "latin1");

/**
 * The file of a lock, made where it is missing and repaired where it is damaged; refused where it cannot be ours. Where
 * this process has it open already, it is not opened a second time: to close that descriptor would free it (POSIX).
 */
export function ensureLockFile(folder: Directory, name: string, isOpen: (path: string) => boolean): BigIntStats {
  const path = folder.at(name);
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (found && !found.isFile()) throw notOurLock(name);
  if (!found) makeWholeFile(folder, name, lockImage());
  const stat = lstatSync(path, { bigint: true });
  if (!stat.isFile() || stat.size > pageSize) throw notOurLock(name);
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    // On a database that one may only read, BEGIN succeeds and excludes nobody.
    if (!hasCode(error, "EACCES", "EPERM", "EROFS")) throw error;
    const says = "The lock of this folder cannot be written to by this user, so nothing else can.";
    throw new RecollectError("READ_ONLY", says, { cause: error });
  }
  if (!isOpen(path)) repairLock(path, name, stat);
  else if (stat.size < pageSize) throw damagedLock(name);
  return stat;
}

/**
 * Writes the page of a damaged lock anew, in place: the file stays the same one, so a process that holds it goes on
 * excluding all others. A file that has a second name may belong to someone else, and is never written to.
 */
function repairLock(path: string, name: string, { ino }: BigIntStats): void {
  const flags = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const descriptor = openSync(path, flags);
  try {
    const page = Buffer.alloc(pageSize);
    const isWhole = readSync(descriptor, page, 0, pageSize, 0) === pageSize;
    // Whatever else is in a page that begins so, a newer Recollect may have written it.
    if (isWhole && page.subarray(0, magic.length).equals(magic)) return;
    const now = fstatSync(descriptor, { bigint: true });
    if (!now.isFile() || now.ino !== ino || now.nlink !== 1n || now.size > pageSize) throw notOurLock(name);
    writeSync(descriptor, lockImage(), 0, pageSize, 0);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Opening the lock anew repairs it, so the operation may begin again. */
export function damagedLock(name: string): Error {
  return staleError("the lock is damaged", notOurLock(name));
}

function notOurLock(name: string): RecollectError {
  const short = name.replace(/_+$/, "");
  const says = `The lock “.recollect/${short}” is damaged, or not one of ours. Stop all servers, then delete it.`;
  return new RecollectError("NOT_ALLOWED", says);
}

/** The smallest database: one page, an empty schema. The numbers are SQLite's file format. */
function lockImage(): Buffer {
  const page = Buffer.alloc(pageSize);
  page.set(magic, 0);
  page.writeUInt16BE(pageSize, 16);
  page.set([1, 1, 0, 64, 32, 32], 18);
  page.writeUInt32BE(1, 24);
  page.writeUInt32BE(1, 28);
  page.writeUInt32BE(4, 44);
  page.writeUInt32BE(1, 56);
  page.writeUInt32BE(formatVersion, 60);
  page.writeUInt32BE(applicationId, 68);
  page.writeUInt32BE(1, 92);
  page.writeUInt32BE(3_046_000, 96);
  page.writeUInt8(13, 100);
  page.writeUInt16BE(pageSize, 105);
  return page;
}
