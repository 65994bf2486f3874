import { constants, fstatSync, linkSync, lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { RecollectError } from "../../kernel/errors.ts";
import { auxiliaryNames } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { damagedLock, ensureLockFile, formatVersion } from "./lock-image.ts";
import { hasCode, staleError } from "./storage-error.ts";

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

/** A lock that the system frees when its holder dies, however it dies. */
export interface LockFile {
  tryAlone(): boolean;
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
export function openLockFile(folder: Directory, base: string, aliases: Directory | undefined): LockFile {
  const name = lockFileName(folder, base);
  const { dev, ino } = ensureLockFile(folder, name, isOpenLock);
  refuseJournals(folder, name);
  const isThere = () => lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false })?.ino === ino;
  const database = openWhile(isThere, aliases ? aliasOf(folder.at(name), ino, aliases) : folder.at(name));
  const noted = noteOpenLock(dev, ino);
  try {
    assertHeldOpen(dev, ino);
  } catch (error) {
    close();
    throw error;
  }
  const statements = new Map<string, StatementSync>();
  let formatCheckedAt: bigint | undefined;

  function close(): void {
    database.close();
    noted.closed();
  }

  function tryAlone(): boolean {
    // Each time: SQLite looks for a journal whenever it takes a lock, not only when it opens the file.
    refuseJournals(folder, name);
    try {
      run("BEGIN IMMEDIATE");
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw isDamaged(error) ? damagedLock(name) : error;
    }
  }

  function run(sql: string): void {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    statement.get();
  }

  return {
    tryAlone,
    release: () => run("ROLLBACK"),
    isCurrent: () => {
      const now = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
      if (now?.dev !== dev || now.ino !== ino) return false;
      // Only an upgrade writes to the file, so an unchanged time spares the look inside.
      if (now.mtimeNs !== formatCheckedAt) assertFormat(database);
      formatCheckedAt = now.mtimeNs;
      return true;
    },
    close,
  };
}

function openWhile(isThere: () => boolean, path: string): DatabaseSync {
  try {
    return openDatabase(path);
  } catch (error) {
    if (!isCannotOpen(error) || isThere()) throw error;
    throw staleError("the lock was deleted while it was opened", error);
  }
}

/** `mode=rw` opens without making a file; Node before 22.15 knows no such addresses, hence the second way. */
function openDatabase(path: string): DatabaseSync {
  try {
    return new DatabaseSync(`file:${path.split("/").map(encodeURIComponent).join("/")}?mode=rw`);
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

function isBusy(error: unknown): boolean {
  return primaryCode(error) === SQLITE_BUSY;
}

function isDamaged(error: unknown): boolean {
  return [SQLITE_CORRUPT, SQLITE_CANTOPEN, SQLITE_NOTADB].includes(primaryCode(error) ?? 0);
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
    throw staleError("the lock was replaced while it was opened");
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

/**
 * SQLite looks beside a database for a journal to roll back each time it takes a lock, by path, and obeys
 * what it finds: it writes what the journal says, and deletes the file that it names. A name this long
 * leaves no room for “-wal” or “-journal” after it (255 bytes at most), so no such file can be put there.
 */
const nameBytes = 252;

/** SQLite takes paths of up to 504 bytes; the rest of that is the lock's own name in its auxiliary folder. */
export const maxLockedPathBytes = 504 - "/.recollect/".length - nameBytes;

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
      // Something else of that name, which no lock of ours can have.
      rmSync(alias, { force: true });
    }
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

/** How often this process has each lock open, by its file. */
const openLocks = new Map<string, number>();

/**
 * Notes a lock that this process opens. To close any other descriptor of the same file would free it, whoever holds it:
 * so nobody here may open that file by another name.
 */
function noteOpenLock(device: bigint, inode: bigint): { closed(): void } {
  const key = keyOf(device, inode);
  openLocks.set(key, (openLocks.get(key) ?? 0) + 1);
  return {
    closed: () => {
      const left = (openLocks.get(key) ?? 1) - 1;
      if (left > 0) openLocks.set(key, left);
      else openLocks.delete(key);
    },
  };
}

/** Whether a path is another name of a lock that is open here. Asked before it is opened. */
export function isOpenLock(path: string): boolean {
  if (openLocks.size === 0) return false;
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat !== undefined && openLocks.has(keyOf(stat.dev, stat.ino));
}

function keyOf(device: bigint, inode: bigint): string {
  return `${device}:${inode}`;
}
