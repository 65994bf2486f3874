import { randomUUID } from "node:crypto";
import { closeSync, constants, fchmodSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from "node:fs";
import { auxiliaryNames } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { hasCode } from "./storage-error.ts";

/**
 * Makes a file unless it is there: it appears whole and open to the right users, or not at all. It is closed
 * before it has its name: closing a lock that this process holds would drop it (POSIX).
 */
export function makeWholeFile(folder: Directory, name: string, content: Uint8Array, mode: number): void {
  const path = folder.at(name);
  const draft = folder.at(auxiliaryNames.wholeDraft(randomUUID()));
  writeNew(draft, content, mode);
  try {
    linkSync(draft, path);
  } catch (error) {
    // Another was quicker; or there are no hard links here.
    if (!hasCode(error, "EEXIST", "EPERM", "ENOTSUP", "EOPNOTSUPP")) throw error;
    if (!hasCode(error, "EEXIST")) writeUnlessThere(path, content, mode);
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeUnlessThere(path: string, content: Uint8Array, mode: number): void {
  try {
    writeNew(path, content, mode);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

function writeNew(path: string, content: Uint8Array, mode: number): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(path, flags, mode);
  try {
    writeSync(descriptor, content, 0, content.length, 0);
    fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
