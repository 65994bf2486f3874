import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmdirSync,
} from "node:fs";
import { join } from "node:path";
import { hasCode, staleError } from "./storage-error.ts";

/**
 * A folder that was reached safely and is held. `at(name)` gives a path for a system call that can
 * only mean `name` in this very folder, even while somebody swaps folders for links around it.
 */
export interface Directory {
  /** Device and inode: the same for everybody who holds this folder, by whatever path. */
  readonly device: bigint;
  readonly inode: bigint;
  at(name: string): string;
  stat(): BigIntStats;
  /** Opens a sub-folder, never through a link. Throws ENOENT, ENOTDIR or ELOOP. */
  child(name: string): Directory;
  /** Throws ESTALE where the folder is not what it was when it was opened. */
  verify(): void;
  sync(blocking: boolean): Promise<void>;
  syncNow(): void;
  close(): void;
}

export type OpenDirectory = (path: string) => Directory;

const openFlags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Linux: the descriptor is the folder. `/proc/self/fd/<n>/<name>` resolves `name` in the open folder
 * itself, which is openat(2) without native code.
 */
export function openByDescriptor(path: string): Directory {
  const descriptor = openSync(path, openFlags);
  const { dev, ino } = statOrClose(descriptor);
  const prefix = `/proc/self/fd/${descriptor}/`;
  return {
    device: dev,
    inode: ino,
    at: (name) => prefix + name,
    stat: () => fstatSync(descriptor, { bigint: true }),
    child: (name) => openByDescriptor(prefix + oneName(name)),
    verify: () => {},
    sync: (blocking) => syncDescriptor(descriptor, blocking),
    syncNow: () => fsyncSync(descriptor),
    close: () => closeSync(descriptor),
  };
}

function statOrClose(descriptor: number): BigIntStats {
  try {
    return fstatSync(descriptor, { bigint: true });
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/**
 * Elsewhere: paths, with the identity of every folder on the way compared again after use. What a
 * racing local process can still do between two system calls is said in SECURITY.md.
 */
export function openByPath(path: string): Directory {
  return openChecked(path, () => {});
}

function openChecked(path: string, verifyParents: () => void): Directory {
  const { dev, ino } = directoryStat(path);
  const verify = () => {
    verifyParents();
    const now = directoryStat(path);
    if (now.dev !== dev || now.ino !== ino) throw staleError("the folder was replaced during the operation");
  };
  verify();
  return {
    device: dev,
    inode: ino,
    at: (name) => join(path, onePart(name)),
    stat: () => directoryStat(path),
    child: (name) => openChecked(join(path, oneName(onePart(name))), verify),
    verify,
    sync: (blocking) => syncByPath(path, blocking),
    syncNow: () => syncByPathNow(path),
    close: () => {},
  };
}

/** Windows has no descriptor for a folder; NTFS journals the rename itself. */
const hasFolderDescriptors = process.platform !== "win32";

async function syncByPath(path: string, blocking: boolean): Promise<void> {
  if (!hasFolderDescriptors) return;
  const descriptor = openSync(path, openFlags);
  try {
    await syncDescriptor(descriptor, blocking);
  } finally {
    closeSync(descriptor);
  }
}

/** A function of its own, and no promise in it: who does not wait for one never hears of a failed sync. */
function syncByPathNow(path: string): void {
  if (!hasFolderDescriptors) return;
  const descriptor = openSync(path, openFlags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The last wall: whatever was forgotten above, nobody steps out of a folder here. */
function oneName(name: string): string {
  if (name !== "" && name !== "." && name !== ".." && !name.includes("/")) return name;
  throw Object.assign(new Error("not the name of a sub-folder"), { code: "ENOENT" });
}

/** On Windows a backslash separates and a colon names a stream or a drive; no document has either in its name. */
function onePart(name: string): string {
  if (process.platform !== "win32" || !/[\\:]/.test(name)) return name;
  throw Object.assign(new Error("not a file name on this system"), { code: "ENOENT" });
}

function directoryStat(path: string): BigIntStats {
  const stat = lstatSync(path, { bigint: true });
  if (stat.isSymbolicLink()) throw Object.assign(new Error("a link in place of a folder"), { code: "ELOOP" });
  if (!stat.isDirectory()) throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
  return stat;
}

export function bestOpenDirectory(): OpenDirectory {
  return process.platform === "linux" && existsSync("/proc/self/fd") ? openByDescriptor : openByPath;
}

/**
 * Blocking costs the event loop the time of the disk; the thread pool costs two changes of thread,
 * which is up to half of a durable write on a quick disk. A server with many clients wants the pool.
 */
export async function syncDescriptor(descriptor: number, blocking: boolean): Promise<void> {
  if (blocking) {
    fsyncSync(descriptor);
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    fsync(descriptor, (error) => (error ? reject(error) : resolve()));
  });
}

/** Side by side, on the thread pool; where the main thread may wait for the disk, it takes one of them itself. */
export async function syncTogether(
  syncs: readonly ((blocking: boolean) => Promise<void>)[],
  blocking: boolean,
): Promise<void> {
  await allDone(syncs.map((sync, index) => sync(blocking && index === syncs.length - 1)));
}

export async function syncFolders(parts: readonly { readonly folder: Directory }[], blocking: boolean): Promise<void> {
  await syncTogether(
    parts.map((part) => (wait: boolean) => part.folder.sync(wait)),
    blocking,
  );
}

/** Waits for all of them also where one fails: nothing may still be writing when the others are taken back. */
export async function allDone(work: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}

/** Durably makes a folder in another one, where it is not there already. */
export async function makeChild(parent: Directory, name: string, blocking: boolean): Promise<void> {
  try {
    mkdirSync(parent.at(name));
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
  // Also where another process has just made it, and may not have come to this yet.
  await parent.sync(blocking).catch((error) => {
    unmake(parent, name);
    throw error;
  });
}

/** So that the next operation makes it anew, and syncs it then. */
function unmake(parent: Directory, name: string): void {
  try {
    rmdirSync(parent.at(name));
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTEMPTY", "EEXIST")) throw error;
  }
}
