import { lstatSync } from "node:fs";
import { join } from "node:path";
import { auxiliaryNames, openAuxiliary } from "../../backends/files/auxiliary.ts";
import { bestOpenDirectory, type Directory } from "../../backends/files/directory.ts";
import { lockFileName, maxLockedPathBytes, openLockFile } from "../../backends/files/lock-file.ts";
import { createRootFolders } from "../../backends/files/root-folders.ts";
import { walkFolders } from "../../backends/files/walk-folders.ts";
import { auxiliaryFolder } from "../../kernel/document-path.ts";
import { isRecollectError, type RecollectError } from "../../kernel/errors.ts";

/** A lock, or the folder of locks, that keeps every write out. */
export interface BadLock {
  /** On disk, in full. */
  readonly path: string;
  readonly error: RecollectError;
}

const { lock, entrance, historyLock, syncLock } = auxiliaryNames;
const lockNames = [lock, entrance, historyLock, syncLock];

/** Takes every lock below a folder for a moment, as a write would, which repairs what can be; makes nothing that is not there. */
export function findBadLocks(folder: string): BadLock[] {
  const roots = createRootFolders([{ name: folder, folder, create: false }], bestOpenDirectory());
  try {
    return [...walkFolders(roots)].flatMap(({ place }) => {
      const open = roots.open(place);
      try {
        return open ? badLocksIn(open, join(roots.realPath(place), auxiliaryFolder)) : [];
      } finally {
        open?.close();
      }
    });
  } finally {
    roots.close();
  }
}

function badLocksIn(folder: Directory, path: string): BadLock[] {
  let auxiliary: Directory | undefined;
  try {
    auxiliary = openAuxiliary(folder);
  } catch (error) {
    return badLock(path, error);
  }
  if (!auxiliary) return [];
  const within = auxiliary;
  try {
    return lockNames.flatMap((base) => tryLock(within, base, path));
  } finally {
    auxiliary.close();
  }
}

function tryLock(auxiliary: Directory, base: string, path: string): BadLock[] {
  const name = lockFileName(auxiliary, base);
  // A deeper one is opened by a second name, which would have to be made.
  const isDeep = Buffer.byteLength(path) > maxLockedPathBytes + auxiliaryFolder.length + 1;
  if (isDeep || !lstatSync(auxiliary.at(name), { throwIfNoEntry: false })) return [];
  try {
    const lock = openLockFile(auxiliary, base, undefined);
    try {
      if (lock.tryAlone()) {
        lock.release();
        lock.isCurrent();
      }
    } finally {
      lock.close();
    }
    return [];
  } catch (error) {
    return badLock(join(path, name), error);
  }
}

/** What is only being made or replaced at this moment explains itself by its cause, if it lasts. */
function badLock(path: string, error: unknown): BadLock[] {
  const said = error instanceof Error && isRecollectError(error.cause) ? error.cause : error;
  if (isRecollectError(said)) return [{ path, error: said }];
  if (error instanceof Error && "code" in error) return [];
  throw error;
}
