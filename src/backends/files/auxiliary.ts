import { randomInt } from "node:crypto";
import {
  type BigIntStats,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename } from "node:path";
import { auxiliaryFolder } from "../../kernel/document-path.ts";
import { RecollectError } from "../../kernel/errors.ts";
import type { Rev } from "../../kernel/revision.ts";
import type { Directory } from "./directory.ts";
import { hasCode } from "./storage-error.ts";

/** The number of a staged document in its folder, or the second name by which it goes into its place. */
export type FreshIndex = number | `${number}-placed`;

/** The names inside an auxiliary folder. docs/FORMAT.md describes each. */
export const auxiliaryNames = {
  ignore: ".gitignore",
  lock: "lock",
  /** Held for the moment of drawing a number. */
  entrance: "entrance",
  turns: "turns",
  wholeDraft: (id: string) => `new-whole-${id}`,
  alias: (inode: bigint) => `alias-${inode}`,
  fresh: (index: FreshIndex) => `new-${index}`,
  /** A former document on its way back into its place; its name makes it a fresh file too. */
  restored: (index: FreshIndex) => `new-${index}-restored`,
  /** A second name of the superseded document, on its way to replacing a copy that was kept of it. */
  former: (index: number) => `new-${index}-former`,
  intent: "intent",
  intentDraft: "intent-draft",
  journal: "journal",
  journalDraft: "journal-draft",
  journalSegment: (segment: number) => `journal-${segment}`,
  kept: (rev: Rev) => `kept-${rev}`,
  /** What history keeps of a root, in the root's own folder alone. */
  history: "history",
  /** How far history went, beside it: tells when it was taken away or set back. */
  historyTip: "history-tip",
  /** Held by the one process that records. */
  historyLock: "history-lock",
  /** Held by the one process that syncs with a remote. */
  syncLock: "sync-lock",
  /** In the folder in which all agents keep theirs: no other store reaches into it. */
  agents: "agents",
} as const;

export function isFresh(name: string): boolean {
  return name.startsWith("new-");
}

/** A document that is staged, or on its way into its place: of one operation, which holds the lock. */
export function isStagedName(name: string): boolean {
  return /^new-\d/.test(name);
}

export function isKept(name: string): boolean {
  return name.startsWith("kept-");
}

/** What only an operation under way has: found with the lock held, it was left by one that was cut off. */
export function isUnfinished(name: string): boolean {
  return isFresh(name) || name === auxiliaryNames.intentDraft || name === auxiliaryNames.journalDraft;
}

/** Whether a store made it: any other file in an auxiliary folder was left by something else. */
export function isAuxiliaryName(name: string): boolean {
  return /^(\.gitignore|lock|entrance|turns|alias-|new-|kept-|intent|journal|history|sync-lock|agents)/.test(name);
}

/** Whether documents were ever written here through a store. */
export function hasAuxiliary(folder: Directory): boolean {
  return lstatSync(folder.at(auxiliaryFolder), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Whether a multi-document commit was cut off here. One system call, so that every operation can ask. */
export function hasIntent(folder: Directory): boolean {
  const intent = folder.at(`${auxiliaryFolder}/${auxiliaryNames.intent}`);
  try {
    return lstatSync(intent, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // Something else than a folder has its name; writing there says so, reading need not.
    if (hasCode(error, "ENOTDIR", "ELOOP")) return false;
    throw error;
  }
}

/** The auxiliary folder of a folder of documents, where there is one. */
export function openAuxiliary(folder: Directory): Directory | undefined {
  try {
    return folder.child(auxiliaryFolder);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    if (!hasCode(error, "ENOTDIR", "ELOOP")) throw error;
    throw new RecollectError(
      "NOT_ALLOWED",
      "“.recollect” is not an ordinary folder here. Move it away, then try again.",
      {
        cause: error,
      },
    );
  }
}

/** Opens it, and makes it where it is missing, as open to other users as its folder is. */
export function ensureAuxiliary(folder: Directory): Directory {
  const found = openAuxiliary(folder) ?? makeAuxiliary(folder);
  try {
    // Written last, so a folder without it was left by somebody who was cut off while making it.
    if (!exists(found, auxiliaryNames.ignore)) furnish(found, folder);
    return found;
  } catch (error) {
    found.close();
    throw error;
  }
}

function makeAuxiliary(folder: Directory): Directory {
  try {
    mkdirSync(folder.at(auxiliaryFolder));
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
  return folder.child(auxiliaryFolder);
}

function furnish(auxiliary: Directory, folder: Directory): void {
  openToSameUsers(auxiliary, folder.stat());
  // Once per folder: an intent in it must be found after a power cut.
  folder.syncNow();
  writeIgnoreFile(auxiliary);
}

function openToSameUsers(made: Directory, { mode, uid, gid }: BigIntStats): void {
  try {
    give((user) => chownSync(made.at("."), user ? Number(uid) : -1, Number(gid)));
    // The umask must not shut out the group that shares the folder. Last: a change of the group drops bits.
    chmodSync(made.at("."), Number(mode & 0o2777n));
  } catch (error) {
    // Made by another user in the same moment, who sets the mode.
    if (!hasCode(error, "EPERM")) throw error;
  }
}

/**
 * Whoever may write to an auxiliary folder may write to the files in it, whoever made them: root, or another
 * member of a group, must not shut out the folder's owner.
 */
export function shareWithFolder(descriptor: number, auxiliary: Directory): void {
  const { mode, uid, gid } = auxiliary.stat();
  fchmodSync(descriptor, Number(mode & 0o666n));
  give((user) => fchownSync(descriptor, user ? Number(uid) : -1, Number(gid)));
}

/** Best effort: only root may give a file away, and to a group only its members. */
function give(chown: (user: boolean) => void): void {
  for (const user of [true, false]) {
    try {
      chown(user);
      return;
    } catch (error) {
      if (!hasCode(error, "EPERM", "EINVAL", "ENOSYS", "ENOTSUP")) throw error;
    }
  }
}

function writeIgnoreFile(auxiliary: Directory): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  let descriptor: number;
  try {
    descriptor = openSync(auxiliary.at(auxiliaryNames.ignore), flags, 0o600);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return;
    throw error;
  }
  try {
    writeSync(descriptor, "*\n");
    shareWithFolder(descriptor, auxiliary);
  } catch (error) {
    // An empty one would ignore nothing, and nobody would write it again.
    rmSync(auxiliary.at(auxiliaryNames.ignore), { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Without an error to make, which costs more than the look, where there is none. */
export function exists(folder: Directory, name: string): boolean {
  return lstatSync(folder.at(name), { throwIfNoEntry: false }) !== undefined;
}

/** Node's own `rmSync` looks first, and again. */
export function removeIfThere(auxiliary: Directory, name: string): void {
  try {
    unlinkSync(auxiliary.at(name));
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

/** A file of our own, never one that is there already, and never through a link. */
export const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** Makes a file that belongs to the holder of the lock alone: one that is there was left by a killed process. */
export function createFresh(path: string, mode: number): number {
  try {
    return openSync(path, createFlags, mode);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    removeLeftover(path);
    return openSync(path, createFlags, mode);
  }
}

export function removeLeftover(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    const name = basename(path);
    const says = `“.recollect/${name}” is a folder in the place of a file of ours. Move it out of “.recollect”.`;
    throw new RecollectError("NOT_ALLOWED", says);
  }
  rmSync(path, { force: true });
}

/**
 * From which number on an operation stages its documents. No other operation uses these names: where a lock was taken
 * away, two operations hold a folder for a moment, and one would publish the text of the other as its own.
 */
export function firstFreshNumber(): number {
  return randomInt(2 ** 47);
}
