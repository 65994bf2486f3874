import { accessSync, type BigIntStats, constants, lstatSync } from "node:fs";
import { RecollectError } from "../../core/errors.ts";
import type { Directory } from "./directory.ts";
import { hasCode, staleError } from "./storage-error.ts";
import { makeWholeFile } from "./whole-file.ts";

/** The version of everything in an auxiliary folder; kept in the lock itself, where it is read under the lock. */
export const formatVersion = 1;

const pageSize = 512;
const applicationId = 0x52434c54;

/** The file of a lock, made where it is missing; refused where it is none that we could have made. */
export function ensureLockFile(folder: Directory, name: string): BigIntStats {
  const path = folder.at(name);
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (found && !found.isFile()) throw notOurLock(name);
  if (!found) makeWholeFile(folder, name, lockImage());
  const stat = lstatSync(path, { bigint: true });
  if (!stat.isFile() || stat.size > pageSize) throw notOurLock(name);
  // Where there are no hard links, it may be just being written.
  if (stat.size < pageSize) throw staleError("the lock is not whole yet", notOurLock(name));
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    // On a database that one may only read, BEGIN succeeds and excludes nobody.
    if (!hasCode(error, "EACCES", "EPERM", "EROFS")) throw error;
    const says = "The lock of this folder cannot be written to by this user, so nothing else can.";
    throw new RecollectError("READ_ONLY", says, { cause: error });
  }
  return stat;
}

export function notOurLock(name: string): RecollectError {
  return new RecollectError(
    "NOT_ALLOWED",
    `The lock “${name.replace(/_+$/, "")}” in .recollect is not one of ours, or damaged. Delete it.`,
  );
}

/** The smallest database: one page, an empty schema. The numbers are SQLite's file format. */
function lockImage(): Buffer {
  const page = Buffer.alloc(pageSize);
  page.write("SQLite format 3\0", 0, "latin1");
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
