import { randomInt } from "node:crypto";
import { constants, lstatSync, openSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { RecollectError } from "../../kernel/errors.ts";
import { hasCode } from "./storage-error.ts";

/** A file of our own, never one that is there already, and never through a link. */
export const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** Makes a file that only whoever holds the lock has: one that is there was left by a process that was killed. */
export function createFresh(path: string, mode: number): number {
  try {
    return openSync(path, createFlags, mode);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    removeLeftover(path);
    return openSync(path, createFlags, mode);
  }
}

/**
 * From which number on an operation stages its documents. Nobody else has them: where a lock was taken away, two have a
 * folder for a moment, and one would put the text of the other in the place of its own.
 */
export function firstFreshNumber(): number {
  return randomInt(2 ** 47);
}

export function removeLeftover(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    const name = basename(path);
    const says = `“.recollect/${name}” is a folder in the place of a file of ours. Move it out of “.recollect”.`;
    throw new RecollectError("NOT_ALLOWED", says);
  }
  rmSync(path, { force: true });
}
