import { constants, fstatSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { RecollectError } from "../../kernel/errors.ts";
import type { Directory } from "./directory.ts";
import { damagedLock, ensureLockFile, formatVersion } from "./lock-image.ts";
import { aliasOf, lockFileName, refuseJournals } from "./lock-name.ts";
import { noteOpenLock } from "./open-locks.ts";
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
  const { dev, ino } = ensureLockFile(folder, name);
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
