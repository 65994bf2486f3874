import { lstatSync } from "node:fs";
import { setTimeout as delay, setImmediate as immediate } from "node:timers/promises";
import { RecollectError } from "../../core/errors.ts";
import { auxiliaryFolder } from "../../core/path-rules.ts";
import { auxiliaryFileMode, auxiliaryNames, ensureAuxiliary } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { type LockFile, openLockFile } from "./lock-file.ts";
import { lockFileName } from "./lock-name.ts";
import type { OpenFolder } from "./open-folders.ts";
import { hasCode } from "./storage-error.ts";

/** A folder whose lock is held, and its auxiliary folder. */
export interface HeldFolder {
  readonly auxiliary: Directory;
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
  /** Where second, shorter paths to the locks are, if their own are too long. */
  readonly aliases: Directory | undefined;
  readonly main: LockFile;
  readonly waitingName: string;
  /** Opened where somebody has queued here at least once. */
  queue: Queue | undefined;
  /** Settles when those of this process who came before are done. */
  tail: Promise<void>;
  users: number;
  closed: boolean;
}

interface Queue {
  /** Shared by all who wait, so that a newcomer can tell. */
  readonly waiting: LockFile;
  /** The rungs of the ladder, the last one first. */
  readonly turns: readonly LockFile[];
}

const rungs = 12;
const idleFolders = 24;
/** A queue that has not moved for this long has a paused process in it: go past it. */
const stuckAfterMs = 250;
const maxAttempts = 20;
/** How long the head of the queue looks often; then the holder is not one of the quick ones. */
const eagerMs = 10;
const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));

export function createFolderLocks({ timeoutMs }: { timeoutMs: number }): FolderLocks {
  // Not the clock: a machine that slept, or whose clock was set, must not make everybody BUSY.
  const now = () => performance.now();
  const open = new Map<string, FolderLock>();

  function lockOf({ folder, shallow }: OpenFolder): FolderLock {
    const key = `${folder.device}:${folder.inode}`;
    const known = open.get(key);
    if (known) {
      open.delete(key);
      open.set(key, known);
      return known;
    }
    const auxiliary = ensureAuxiliary(folder);
    const aliases = shallow && ensureAuxiliary(shallow);
    try {
      const main = openLockFile(auxiliary, auxiliaryNames.lock, auxiliaryFileMode(auxiliary), aliases);
      const waitingName = lockFileName(auxiliary, auxiliaryNames.waiting);
      const lock = {
        key,
        auxiliary,
        aliases,
        main,
        waitingName,
        queue: undefined,
        tail: Promise.resolve(),
        users: 0,
        closed: false,
      };
      // First, or the new one would be the only idle one.
      closeIdle();
      open.set(key, lock);
      return lock;
    } catch (error) {
      auxiliary.close();
      aliases?.close();
      throw error;
    }
  }

  function forget(lock: FolderLock): void {
    if (open.get(lock.key) === lock) open.delete(lock.key);
    if (lock.users === 0) closeFiles(lock);
  }

  function leave(lock: FolderLock): void {
    lock.users -= 1;
    if (lock.users === 0 && open.get(lock.key) !== lock) closeFiles(lock);
  }

  function closeIdle(): void {
    for (const lock of open.values()) {
      if (open.size < idleFolders) return;
      if (lock.users === 0) forget(lock);
    }
  }

  async function acquire(open: OpenFolder): Promise<HeldFolder> {
    const deadline = now() + timeoutMs;
    for (;;) {
      const lock = lockOf(open);
      const next = await enter(lock);
      try {
        if (!tryWithoutQueue(lock)) await queueUp(lock, deadline);
      } catch (error) {
        next();
        throw error;
      }
      const taken = confirm(open.folder, lock, next);
      if (taken) return taken;
    }
  }

  /** First come, first served inside this process; the returned function lets the next one in. */
  async function enter(lock: FolderLock): Promise<() => void> {
    const before = lock.tail;
    const turn = Promise.withResolvers<void>();
    lock.tail = turn.promise;
    lock.users += 1;
    await before;
    return () => {
      turn.resolve();
      leave(lock);
    };
  }

  /** Undefined where the lock was deleted since it was opened: whoever comes now makes and takes a new one. */
  function confirm(folder: Directory, lock: FolderLock, next: () => void): HeldFolder | undefined {
    const release = () => {
      lock.main.release();
      next();
    };
    try {
      if (isInPlace(folder, lock)) return { auxiliary: lock.auxiliary, release };
    } catch (error) {
      release();
      throw error;
    }
    forget(lock);
    release();
    return undefined;
  }

  /** Takes the lock where it is free and nobody queues for it: a newcomer never overtakes. */
  function tryWithoutQueue(lock: FolderLock): boolean {
    if (!lock.queue && !exists(lock.auxiliary, lock.waitingName)) return lock.main.tryAlone();
    const { waiting } = queueOf(lock);
    if (!waiting.tryExclusive()) return false;
    try {
      return lock.main.tryAlone();
    } finally {
      waiting.release();
    }
  }

  /**
   * The queue is a ladder of locks. Everyone enters at the top and steps down one rung at a time,
   * holding one rung until the next is free, so nobody is overtaken; a process that dies frees its
   * rung. The last step is the lock itself.
   */
  async function queueUp(lock: FolderLock, deadline: number): Promise<void> {
    const { waiting, turns } = queueOf(lock);
    let holding: LockFile | undefined;
    const announced = { shared: false };
    try {
      for (const step of [...turns, lock.main]) {
        if ((await stepDown(step, lock, deadline, announced)) === "bypassed") return;
        holding?.release();
        holding = step === lock.main ? undefined : step;
      }
    } finally {
      holding?.release();
      if (announced.shared) waiting.release();
    }
  }

  /** Waits for one rung; past a queue that does not move, takes the lock itself where that is free. */
  async function stepDown(
    step: LockFile,
    lock: FolderLock,
    deadline: number,
    announced: { shared: boolean },
  ): Promise<"reached" | "bypassed"> {
    const since = now();
    while (!step.tryAlone()) {
      announced.shared ||= queueOf(lock).waiting.tryShared();
      if (now() > deadline) throw busy(timeoutMs);
      if (now() - since > stuckAfterMs && lock.main.tryAlone()) return "bypassed";
      await pause(step === lock.main ? now() - since : undefined);
    }
    return "reached";
  }

  return {
    acquire: async (open) => {
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await acquire(open);
        } catch (error) {
          if (attempt === maxAttempts || !isPassing(error, open.folder)) throw error;
          await delay(attempt);
        }
      }
    },
    tryAcquire: (open) => {
      const lock = lockOf(open);
      if (lock.users > 0 || !tryWithoutQueue(lock)) return undefined;
      const turn = Promise.withResolvers<void>();
      lock.tail = turn.promise;
      lock.users += 1;
      return confirm(open.folder, lock, () => {
        turn.resolve();
        leave(lock);
      });
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
  return hasCode(error, "EACCES") && !exists(folder, `${auxiliaryFolder}/${auxiliaryNames.ignore}`);
}

/**
 * Until the next try. The head of the queue looks several times in a millisecond at first: a hold is
 * about one long, and Node's timers count no less. It sleeps, so it takes no time from the holder, and
 * lets the event loop go round in between.
 */
async function pause(headForMs: number | undefined): Promise<void> {
  if (headForMs === undefined) return delay(1);
  if (headForMs > eagerMs) return delay(2);
  Atomics.wait(nobodyWakes, 0, 0, 0.2);
  return immediate();
}

/** Whether the lock that we have open is still the lock of the folder. */
function isInPlace(folder: Directory, lock: FolderLock): boolean {
  const now = lstatSync(folder.at(auxiliaryFolder), { bigint: true, throwIfNoEntry: false });
  return now?.ino === lock.auxiliary.inode && now.dev === lock.auxiliary.device && lock.main.isCurrent();
}

function queueOf(lock: FolderLock): Queue {
  if (lock.queue) return lock.queue;
  const mode = auxiliaryFileMode(lock.auxiliary);
  const names = Array.from({ length: rungs }, (_, rung) => auxiliaryNames.turn(rungs - rung));
  const opened: LockFile[] = [];
  try {
    for (const name of [auxiliaryNames.waiting, ...names]) {
      opened.push(openLockFile(lock.auxiliary, name, mode, lock.aliases));
    }
  } catch (error) {
    for (const file of opened) file.close();
    throw error;
  }
  const [waiting, ...turns] = opened as [LockFile, ...LockFile[]];
  lock.queue = { waiting, turns };
  return lock.queue;
}

function closeFiles(lock: FolderLock): void {
  if (lock.closed) return;
  lock.closed = true;
  for (const file of [lock.main, ...(lock.queue ? [lock.queue.waiting, ...lock.queue.turns] : [])]) file.close();
  lock.auxiliary.close();
  lock.aliases?.close();
}

function exists(folder: Directory, name: string): boolean {
  return lstatSync(folder.at(name), { throwIfNoEntry: false }) !== undefined;
}

function busy(timeoutMs: number): RecollectError {
  return new RecollectError(
    "BUSY",
    `Another process has held this folder for ${timeoutMs / 1000} seconds. Try again; if it lasts, look for a stopped process.`,
    { data: { timeoutMs } },
  );
}
