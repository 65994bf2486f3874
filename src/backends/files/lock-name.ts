import { linkSync, lstatSync, rmSync } from "node:fs";
import { RecollectError } from "../../kernel/errors.ts";
import { auxiliaryNames } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { hasCode } from "./storage-error.ts";

/**
 * SQLite looks beside a database for a journal to roll back each time it takes a lock, by path, and obeys
 * what it finds: it writes what the journal says, and deletes the file that it names. A name this long
 * leaves no room for “-wal” or “-journal” after it (255 bytes at most), so nobody can put one there.
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
export function aliasOf(lock: string, inode: bigint, aliases: Directory): string {
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
export function refuseJournals(folder: Directory, name: string): void {
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
