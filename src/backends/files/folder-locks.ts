import { lstatSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { auxiliaryFolder } from "../../kernel/document-path.ts";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import { inTime } from "../../kernel/in-time.ts";
import { auxiliaryNames, ensureAuxiliary } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { type LockFile, openLockFile } from "./lock-file.ts";
import { createLockQueue, type LockQueue } from "./lock-queue.ts";
import type { OpenFolder } from "./open-folders.ts";
import { hasCode, staleError } from "./storage-error.ts";

/** A folder whose lock is held, and its auxiliary folder. */
export interface HeldFolder {
  readonly auxiliary: Directory;
  /** Throws ESTALE where the lock was deleted or moved away since it was taken: it excludes nobody any more. */
  assertInPlace(): void;
  release(): void;
}

/**
 * Exclusion between all writers of a folder (KER-5). The lock lies in the folder itself, so whoever
 * reaches the folder, by whatever root, user or container, meets the same lock.
 */
export interface FolderLocks {
  acquire(open: OpenFolder): Promise<HeldFolder>;
  /** Undefined where the lock is taken or waited for. */
  tryAcquire(open: OpenFolder): HeldFolder | undefined;
  close(): void;
}

interface FolderLock {
  readonly key: string;
  readonly auxiliary: Directory;
  readonly aliases: Directory | undefined;
  readonly file: LockFile;
  readonly queue: LockQueue;
  /** Settles when those of this process who came before are done. */
  tail: Promise<void>;
  users: number;
  closed: boolean;
}

/** How many folders' locks stay open without being used. */
const idleFolders = 24;
const maxAttempts = 20;

export function createFolderLocks({ timeoutMs }: { timeoutMs: number }): FolderLocks {
  const open = new Map<string, FolderLock>();

  function lockOf(folder: OpenFolder): FolderLock {
    const key = `${folder.folder.device}:${folder.folder.inode}`;
    const known = open.get(key);
    const lock = known ?? openLock(key, folder);
    // The least recently used stands first; the new one comes after the shedding, or it would be the only idle one.
    open.delete(key);
    if (!known) closeIdle();
    open.set(key, lock);
    return lock;
  }

  function openLock(key: string, { folder, shallow }: OpenFolder): FolderLock {
    const auxiliary = ensureAuxiliary(folder);
    let aliases: Directory | undefined;
    let file: LockFile | undefined;
    try {
      aliases = shallow && ensureAuxiliary(shallow);
      file = openLockFile(auxiliary, auxiliaryNames.lock, aliases);
      const queue = createLockQueue({ lock: file, auxiliary, aliases });
      return { key, auxiliary, aliases, file, queue, tail: Promise.resolve(), users: 0, closed: false };
    } catch (error) {
      file?.close();
      auxiliary.close();
      aliases?.close();
      throw error;
    }
  }

  function forget(lock: FolderLock): void {
    if (open.get(lock.key) === lock) open.delete(lock.key);
    if (lock.users === 0) closeFiles(lock);
  }

  function closeIdle(): void {
    for (const lock of open.values()) {
      if (open.size < idleFolders) return;
      if (lock.users === 0) forget(lock);
    }
  }

  /** Takes a place in this process's own line; the returned function gives it back and lets the next one in. */
  function lineUp(lock: FolderLock): { before: Promise<void>; next: () => void } {
    const before = lock.tail;
    const turn = Promise.withResolvers<void>();
    lock.tail = turn.promise;
    lock.users += 1;
    const next = () => {
      turn.resolve();
      lock.users -= 1;
      if (lock.users === 0 && open.get(lock.key) !== lock) closeFiles(lock);
    };
    return { before, next };
  }

  async function acquire(folder: OpenFolder, deadline: number): Promise<HeldFolder> {
    const lock = lockOf(folder);
    const isAlone = lock.users === 0;
    const { before, next } = lineUp(lock);
    const patience = Math.max(0, deadline - performance.now());
    if (!isAlone && (await inTime(before, patience, () => "late")) === "late") {
      void before.then(next);
      throw busy(timeoutMs);
    }
    try {
      const verify = () => assertInPlace(folder.folder, lock);
      if (!lock.queue.tryNow() && !(await lock.queue.wait(deadline, verify))) throw busy(timeoutMs);
    } catch (error) {
      // It may lie in files that somebody deleted: the next try opens them anew.
      if (!hasCode(error, "BUSY")) forget(lock);
      next();
      throw error;
    }
    const held = confirm(folder.folder, lock, next);
    if (held) return held;
    throw staleError("the lock was deleted since it was opened");
  }

  /** Undefined where the lock was deleted since it was opened: whoever comes now makes and takes a new one. */
  function confirm(folder: Directory, lock: FolderLock, next: () => void): HeldFolder | undefined {
    const release = () => {
      try {
        lock.file.release();
      } finally {
        next();
      }
    };
    try {
      if (isInPlace(folder, lock)) {
        return { auxiliary: lock.auxiliary, assertInPlace: () => assertInPlace(folder, lock), release };
      }
    } catch (error) {
      release();
      throw error;
    }
    forget(lock);
    release();
    return undefined;
  }

  return {
    acquire: async (folder) => {
      const deadline = performance.now() + timeoutMs;
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await acquire(folder, deadline);
        } catch (error) {
          if (!isPassing(error, folder.folder)) throw error;
          if (attempt === maxAttempts) throw lastWord(error);
          await delay(attempt);
        }
      }
    },
    tryAcquire: (folder) => {
      const lock = lockOf(folder);
      // Not through the queue: what the dead left behind must not wait for the numbers of the dead.
      try {
        if (lock.users > 0 || !lock.file.tryAlone()) return undefined;
      } catch (error) {
        forget(lock);
        throw lastWord(error);
      }
      return confirm(folder.folder, lock, lineUp(lock).next);
    },
    close: () => {
      for (const lock of open.values()) forget(lock);
    },
  };
}

/**
 * Whether it may be different in a moment: the auxiliary folder was deleted or replaced while it was
 * opened, or another user has just made it and not yet opened it to us.
 */
function isPassing(error: unknown, folder: Directory): boolean {
  if (hasCode(error, "ENOENT", "ESTALE")) return folder.stat().nlink > 0n;
  if (!hasCode(error, "EACCES")) return false;
  return lstatSync(folder.at(`${auxiliaryFolder}/${auxiliaryNames.ignore}`), { throwIfNoEntry: false }) === undefined;
}

/** An error that explains itself, where it kept coming. */
function lastWord(error: unknown): unknown {
  return error instanceof Error && isRecollectError(error.cause) ? error.cause : error;
}

function busy(timeoutMs: number): RecollectError {
  return new RecollectError(
    "BUSY",
    `Others have kept this folder busy for ${timeoutMs / 1000} seconds. Try again; if it lasts, look for a stopped process.`,
    { data: { timeoutMs } },
  );
}

function assertInPlace(folder: Directory, lock: FolderLock): void {
  if (!isInPlace(folder, lock)) throw staleError("the lock was deleted during the operation");
}

/** Whether the lock that we have open is still the lock of the folder. */
function isInPlace(folder: Directory, lock: FolderLock): boolean {
  const now = lstatSync(folder.at(auxiliaryFolder), { bigint: true, throwIfNoEntry: false });
  return now?.ino === lock.auxiliary.inode && now.dev === lock.auxiliary.device && lock.file.isCurrent();
}

function closeFiles(lock: FolderLock): void {
  if (lock.closed) return;
  lock.closed = true;
  lock.file.close();
  lock.queue.close();
  lock.auxiliary.close();
  lock.aliases?.close();
}
