import { randomUUID } from "node:crypto";
import { closeSync, constants, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { auxiliaryNames, shareWithFolder } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { hasCode, staleError } from "./storage-error.ts";

const maxAttempts = 20;

/**
 * Makes a file unless it is there. It appears whole and open to the right users, or not at all, where there are
 * hard links; elsewhere it is short for a moment. It is closed before it has its name: closing a lock that this
 * process holds would drop it (POSIX).
 */
export function makeWholeFile(folder: Directory, name: string, content: Uint8Array): void {
  const path = folder.at(name);
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) if (isMadeByDraft(folder, path, content)) return;
  throw staleError("a draft was taken away again and again");
}

/** Puts a new file in the place of one that has a second name. With the folder's lock held. */
export function replaceWholeFile(folder: Directory, name: string, content: Uint8Array): void {
  const draft = folder.at(auxiliaryNames.wholeDraft(randomUUID()));
  writeNew(folder, draft, content);
  renameSync(draft, folder.at(name));
}

/** False where a recovery took the draft for one that was left behind: there is no lock yet that would say otherwise. */
function isMadeByDraft(folder: Directory, path: string, content: Uint8Array): boolean {
  const draft = folder.at(auxiliaryNames.wholeDraft(randomUUID()));
  writeNew(folder, draft, content);
  try {
    linkSync(draft, path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    // Another was quicker; or there are no hard links here.
    if (!hasCode(error, "EEXIST", "EPERM", "ENOTSUP", "EOPNOTSUPP")) throw error;
    if (!hasCode(error, "EEXIST")) writeUnlessThere(folder, path, content);
  } finally {
    rmSync(draft, { force: true });
  }
  return true;
}

function writeUnlessThere(folder: Directory, path: string, content: Uint8Array): void {
  try {
    writeNew(folder, path, content);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

function writeNew(folder: Directory, path: string, content: Uint8Array): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(path, flags, 0o600);
  try {
    writeSync(descriptor, content, 0, content.length, 0);
    shareWithFolder(descriptor, folder);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
