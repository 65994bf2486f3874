import { randomUUID } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { RecollectError } from "../../core/errors.ts";
import { auxiliaryNames } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { hasCode } from "./storage-error.ts";

/** The version of everything in an auxiliary folder; kept in the lock itself, where it is read under the lock. */
export const formatVersion = 1;

const pageSize = 512;
const applicationId = 0x52434c54;
const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

/**
 * SQLite looks beside a database for a journal to roll back each time it takes a lock, by path, and obeys
 * what it finds: it writes what the journal says, and deletes the file that it names. A name this long
 * leaves no room for “-wal” or “-journal” after it (255 bytes at most), so nobody can put one there.
 */
const nameBytes = 252;

/** SQLite takes paths of up to 504 bytes; the rest of that is the lock's own name in its auxiliary folder. */
export const maxLockedPathBytes = 504 - "/.recollect/".length - nameBytes;

/** A lock that the system frees when its holder dies, however it dies. */
export interface LockFile {
  /** Alone among those who call this; it does not mind those who share. */
  tryAlone(): boolean;
  /** Alone, and nobody shares either. */
  tryExclusive(): boolean;
  tryShared(): boolean;
  release(): void;
  /**
   * False where the file was deleted or replaced, so that others may hold another lock by now.
   * Throws UNSUPPORTED_FORMAT where a newer Recollect has changed the folder.
   */
  isCurrent(): boolean;
  close(): void;
}

/**
 * An SQLite database of one page that nobody ever writes to: BEGIN IMMEDIATE on it is a lock between
 * processes and between stores of one process. The file is made here, byte by byte, and never by
 * SQLite, which would follow links, and would write a rollback journal for an empty one each time.
 */
export function openLockFile(folder: Directory, base: string, mode: number, aliases: Directory | undefined): LockFile {
  const name = lockFileName(folder, base);
  const { dev, ino } = ensureLockFile(folder, name, mode);
  refuseJournals(folder, name);
  const database = openDatabase(aliases ? aliasOf(folder.at(name), ino, aliases) : folder.at(name));
  try {
    assertHeldOpen(dev, ino);
  } catch (error) {
    database.close();
    throw error;
  }
  const statements = new Map<string, StatementSync>();
  let formatCheckedAt: bigint | undefined;

  function attempt(sql: string): boolean {
    // Each time: SQLite looks for a journal whenever it takes a lock, not only when it opens the file.
    refuseJournals(folder, name);
    try {
      run(sql);
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw isDamaged(error) ? notOrdinary(name) : error;
    }
  }

  function run(sql: string): StatementSync {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    statement.get();
    return statement;
  }

  function release(): void {
    run("ROLLBACK");
  }

  return {
    tryAlone: () => attempt("BEGIN IMMEDIATE"),
    tryExclusive: () => attempt("BEGIN EXCLUSIVE"),
    tryShared: () => {
      run("BEGIN DEFERRED");
      let shared = false;
      try {
        shared = attempt("PRAGMA user_version");
      } finally {
        if (!shared) release();
      }
      return shared;
    },
    release,
    isCurrent: () => {
      const now = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
      if (now?.dev !== dev || now.ino !== ino) return false;
      // Only an upgrade writes to the file, so an unchanged time spares the look inside.
      if (now.mtimeNs !== formatCheckedAt) assertFormat(database);
      formatCheckedAt = now.mtimeNs;
      return true;
    },
    close: () => database.close(),
  };
}

/**
 * A second name for a lock in a folder whose path is short enough for SQLite. A lock belongs to the file,
 * not to the path, so whoever opens it by whatever name excludes the others.
 */
function aliasOf(lock: string, inode: bigint, aliases: Directory): string {
  const alias = aliases.at(lockFileName(aliases, auxiliaryNames.alias(inode)));
  for (;;) {
    try {
      linkSync(lock, alias);
      return alias;
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
      if (lstatSync(alias, { bigint: true, throwIfNoEntry: false })?.ino === inode) return alias;
      // Of a lock that was deleted since, whose number was given again.
      rmSync(alias, { force: true });
    }
  }
}

/** The whole name of a lock; the short one where the file system or Windows takes no longer names. */
export function lockFileName(folder: Directory, base: string): string {
  const name = base.padEnd(nameBytes, "_");
  if (process.platform === "win32") return base;
  try {
    lstatSync(folder.at(name), { throwIfNoEntry: false });
    return name;
  } catch (error) {
    if (hasCode(error, "ENAMETOOLONG")) return base;
    throw error;
  }
}

/** `mode=rw` opens without making a file; Node before 22.15 knows no such addresses, hence the second way. */
function openDatabase(path: string): DatabaseSync {
  try {
    return new DatabaseSync(`file:${encodeURI(path)}?mode=rw`);
  } catch (error) {
    // This way makes a file where there is none, also behind a link that was just put there.
    if (!isCannotOpen(error) || knowsAddresses()) throw error;
    return new DatabaseSync(path);
  }
}

function knowsAddresses(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > 23 || (major === 23 && minor >= 10) || (major === 22 && minor >= 15);
}

function ensureLockFile(folder: Directory, name: string, mode: number) {
  const path = folder.at(name);
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (found && !found.isFile()) throw notOrdinary(name);
  if (!found) makeLockFile(folder, path, mode);
  const stat = lstatSync(path, { bigint: true });
  if (!stat.isFile() || stat.size !== BigInt(pageSize)) throw notOrdinary(name);
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    // On a database that one may only read, BEGIN succeeds and excludes nobody.
    if (!hasCode(error, "EACCES", "EPERM", "EROFS")) throw error;
    throw new RecollectError(
      "READ_ONLY",
      "The lock of this folder cannot be written to by this user, so nothing else can.",
      {
        cause: error,
      },
    );
  }
  return stat;
}

function notOrdinary(name: string): RecollectError {
  return new RecollectError(
    "NOT_ALLOWED",
    `The lock “${name.replace(/_+$/, "")}” in .recollect is not one of ours, or damaged. Delete it.`,
  );
}

/**
 * The file appears whole and open to the right users, or not at all. It is closed before it has its name:
 * closing a lock that this process holds would drop it (POSIX).
 */
function makeLockFile(folder: Directory, path: string, mode: number): void {
  const draft = folder.at(auxiliaryNames.lockDraft(randomUUID()));
  writeImage(draft, mode);
  try {
    linkSync(draft, path);
  } catch (error) {
    // Another was quicker; or there are no hard links here.
    if (!hasCode(error, "EEXIST", "EPERM", "ENOTSUP", "EOPNOTSUPP")) throw error;
    if (!hasCode(error, "EEXIST")) writeUnlessThere(path, mode);
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeUnlessThere(path: string, mode: number): void {
  try {
    writeImage(path, mode);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

function writeImage(path: string, mode: number): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(path, flags, mode);
  try {
    writeSync(descriptor, lockImage(), 0, pageSize, 0);
    fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** For a short name only: we never write through SQLite, so a journal beside the lock came from somebody else. */
function refuseJournals(folder: Directory, name: string): void {
  if (name.length === nameBytes) return;
  for (const suffix of ["-journal", "-wal", "-shm"]) {
    if (lstatSync(folder.at(name + suffix), { throwIfNoEntry: false })) {
      throw new RecollectError(
        "NOT_ALLOWED",
        `The auxiliary folder holds “${name}${suffix}”, which Recollect never writes. Delete that file.`,
      );
    }
  }
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

function isBusy(error: unknown): boolean {
  return primaryCode(error) === SQLITE_BUSY;
}

function isDamaged(error: unknown): boolean {
  return [SQLITE_CORRUPT, SQLITE_NOTADB].includes(primaryCode(error) ?? 0);
}

function isCannotOpen(error: unknown): boolean {
  return primaryCode(error) === SQLITE_CANTOPEN;
}

function primaryCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : undefined;
}

/**
 * SQLite opens by path, so ask whether what this process now has open is the file that was checked.
 * And where opening fails for whatever reason, too many open files among them, SQLite quietly opens
 * for reading alone, and such a lock excludes nobody.
 */
function assertHeldOpen(device: bigint, inode: bigint): void {
  if (process.platform !== "linux") return;
  const found = descriptorsOf(device, inode);
  if (found.length === 0) {
    throw Object.assign(new Error("the lock was replaced while it was opened"), { code: "ESTALE" });
  }
  if (found.every(isWritable)) return;
  throw new RecollectError(
    "STORAGE_FAILED",
    "The lock of this folder could not be opened for writing, so nothing was changed. Try again.",
  );
}

function isWritable(descriptor: string): boolean {
  const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1] ?? "0";
  return (Number.parseInt(flags, 8) & constants.O_RDWR) !== 0;
}

function descriptorsOf(device: bigint, inode: bigint): string[] {
  return readdirSync("/proc/self/fd").filter((descriptor) => {
    try {
      const stat = fstatSync(Number(descriptor), { bigint: true });
      return stat.dev === device && stat.ino === inode;
    } catch (error) {
      // The listing's own descriptor is closed by now.
      if (hasCode(error, "EBADF")) return false;
      throw error;
    }
  });
}

function assertFormat(database: DatabaseSync): void {
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (version <= formatVersion) return;
  throw new RecollectError(
    "UNSUPPORTED_FORMAT",
    `This folder was written by a newer Recollect (format ${version}, this one knows ${formatVersion}). Upgrade Recollect.`,
    { data: { found: version, known: formatVersion } },
  );
}
