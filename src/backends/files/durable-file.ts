import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import type { Rev } from "../../kernel/revision.ts";
import { auxiliaryNames, createFlags, createFresh, type FreshIndex, removeLeftover } from "./auxiliary.ts";
import { type Directory, syncDescriptor } from "./directory.ts";
import { type DocumentFile, standingOf } from "./document-file.ts";
import { hasCode, notTakenBack, staleError } from "./storage-error.ts";

/** What one commit does to one document, worked out with the lock held. */
export interface Effect {
  readonly folder: Directory;
  readonly auxiliary: Directory;
  readonly name: string;
  /** Undefined removes the document. */
  readonly content: { readonly bytes: Buffer; readonly rev: Rev } | undefined;
  /** What is there before; undefined creates the document. */
  readonly before: DocumentFile | undefined;
  /** The file that a moved document was, whose mode and time it keeps. */
  readonly movedFrom?: DocumentFile | undefined;
}

/** A file system without hard links, or one that forbids a link to another user's file. */
const noLink = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "ENOSYS"] as const;

/** New content beside its place, written and not yet synced. */
export interface Staged {
  readonly inode: bigint;
  readonly descriptor: number;
}

/** Writes the new content beside its place and syncs it. The document itself is untouched. Returns the inode. */
export async function stage(effect: Effect, index: FreshIndex, blocking: boolean): Promise<bigint | undefined> {
  const staged = writeStaged(effect, index);
  if (!staged) return undefined;
  try {
    await syncDescriptor(staged.descriptor, blocking);
    return staged.inode;
  } finally {
    closeSync(staged.descriptor);
  }
}

/** Undefined where there is nothing to stage. The caller syncs and closes it. */
export function writeStaged(effect: Effect, index: FreshIndex): Staged | undefined {
  if (!effect.content) return undefined;
  const descriptor = writeContent(effect, auxiliaryNames.fresh(index), effect.content.bytes);
  try {
    if (effect.movedFrom) futimesSync(descriptor, effect.movedFrom.stat.atime, effect.movedFrom.stat.mtime);
    return { inode: fstatSync(descriptor, { bigint: true }).ino, descriptor };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** A new file in the auxiliary folder, as open to others as the document is. The caller closes it. */
export function writeContent({ auxiliary, before, movedFrom }: Effect, name: string, bytes: Buffer): number {
  const descriptor = createFresh(auxiliary.at(name), 0o666);
  try {
    const model = before ?? movedFrom;
    if (model) keepModeAndGroup(descriptor, model);
    writeAll(descriptor, bytes);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/**
 * Puts the staged content in place, or takes the document away. Where somebody swapped what was staged
 * for a link to another file, the document is put back. What a person saves right after us stays.
 */
export function publish(effect: Effect, index: FreshIndex, staged: bigint | undefined): void {
  const { folder, auxiliary, name, before } = effect;
  const place = folder.at(name);
  const fresh = auxiliary.at(auxiliaryNames.fresh(index));
  if (staged !== undefined) assertStaged(fresh, staged);
  if (before) assertUnchanged(place, before);
  if (!effect.content) unlinkSync(place);
  else if (before) renameSync(fresh, place);
  else createAt(fresh, place);
  if (staged === undefined) return;
  try {
    assertNotSwapped(folder, name, staged);
  } catch (error) {
    // What was staged stays: a commit of several documents may be cut off right here, and recovery needs it.
    try {
      retract(effect, index, staged);
    } catch (failure) {
      throw notTakenBack(error, failure);
    }
    throw error;
  }
}

/** The second name by which a staged document goes into its place, where the first one has to stay. */
export function twinOf(index: number): FreshIndex {
  return `${index}-placed`;
}

/**
 * Publishes by that second name. What was staged stays until the whole commit is done: that all of it is there is what
 * decides a commit of several documents, also after some of them were put in place.
 */
export function publishTwin(effect: Effect, index: number, staged: bigint | undefined): void {
  const hasTwin = staged === undefined || linkTwin(effect, index);
  publish(effect, hasTwin ? twinOf(index) : index, staged);
}

/** False on a file system without hard links: there, a document in its place tells that it had been staged. */
function linkTwin({ auxiliary }: Effect, index: number): boolean {
  const [from, to] = [auxiliary.at(auxiliaryNames.fresh(index)), auxiliary.at(auxiliaryNames.fresh(twinOf(index)))];
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, ...noLink)) return false;
    if (!hasCode(error, "EEXIST")) throw error;
  }
  removeLeftover(to);
  linkSync(from, to);
  return true;
}

/**
 * Undoes `publish`, so that the old document stays. False where a person has saved or deleted it since: that stays as
 * it is, and the old text is kept. Whoever undoes several documents may be cut off in between, and then recovery needs
 * all that was staged: so the new content is staged again before it goes from its place.
 */
export function retract(effect: Effect, index: FreshIndex, staged: bigint | undefined): boolean {
  const { folder, auxiliary, name, before } = effect;
  const place = folder.at(name);
  if (whatIsIn(folder, name, staged) === "theirs") return false;
  const fresh = auxiliary.at(auxiliaryNames.fresh(index));
  if (before) putBack(effect, before, index);
  // Between two names of one file, rename does nothing at all.
  else if (lstatSync(fresh, { throwIfNoEntry: false })) unlinkSync(place);
  else renameSync(place, fresh);
  return true;
}

function putBack({ folder, auxiliary, name, content }: Effect, before: DocumentFile, index: FreshIndex): void {
  const place = folder.at(name);
  const restored = auxiliary.at(auxiliaryNames.restored(index));
  if (content) linkOrCopy(place, auxiliary.at(auxiliaryNames.fresh(index)), { ...before, bytes: content.bytes });
  rmSync(restored, { force: true });
  restore(auxiliary.at(auxiliaryNames.kept(before.rev)), restored, before);
  renameSync(restored, place);
}

/** The former document itself, or a copy of it where what was kept is another document of the same text. */
function restore(kept: string, restored: string, before: DocumentFile): void {
  if (inodeOf(kept) === before.stat.ino) {
    if (linkOrCopy(kept, restored, before) === "linked") return;
    rmSync(restored, { force: true });
  }
  const descriptor = createFresh(restored, 0o666);
  try {
    keepModeAndGroup(descriptor, before);
    writeAll(descriptor, before.bytes);
    futimesSync(descriptor, before.stat.atime, before.stat.mtime);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function discardFresh(auxiliary: Directory, index: FreshIndex): void {
  discard(auxiliary, auxiliaryNames.fresh(index));
}

/** All that an operation that failed has made of one document beside its place. */
export function discardDrafts(auxiliary: Directory, index: number): void {
  const { fresh, former } = auxiliaryNames;
  for (const name of [fresh(index), fresh(twinOf(index)), former(index)]) discard(auxiliary, name);
}

export function discard(auxiliary: Directory, name: string): void {
  try {
    rmSync(auxiliary.at(name), { force: true });
  } catch {
    // It harms nobody, and recovery takes it away. What is told is why the operation failed.
  }
}

/** An editor, which takes no lock, may have saved since we read the document. */
export function assertUnchanged(place: string, { stat }: DocumentFile): void {
  const now = lstatSync(place, { bigint: true, throwIfNoEntry: false });
  if (now?.ino === stat.ino && now.size === stat.size && now.mtimeNs === stat.mtimeNs) return;
  throw staleError("the document was changed during the operation");
}

export function inodeOf(path: string): bigint | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** A second name for the old inode costs next to nothing; where there are no such links, a copy serves. */
export function linkOrCopy(from: string, to: string, file: DocumentFile): "linked" | "copied" | "exists" {
  try {
    linkSync(from, to);
    return "linked";
  } catch (error) {
    if (hasCode(error, "EEXIST")) return "exists";
    if (!hasCode(error, ...noLink)) throw error;
  }
  return copyTo(to, file);
}

export function copyTo(to: string, file: DocumentFile): "copied" | "exists" {
  let descriptor: number;
  try {
    descriptor = openSync(to, createFlags, Number(file.stat.mode & 0o777n));
  } catch (error) {
    if (hasCode(error, "EEXIST")) return "exists";
    throw error;
  }
  try {
    writeAll(descriptor, file.bytes);
  } finally {
    closeSync(descriptor);
  }
  return "copied";
}

/** Never over a file that somebody made since we looked: link fails where rename would replace it. */
function createAt(fresh: string, place: string): void {
  try {
    linkSync(fresh, place);
  } catch (error) {
    if (hasCode(error, "EEXIST")) {
      throw staleError("the document was made during the operation", error);
    }
    if (!hasCode(error, ...noLink)) throw error;
    renameSync(fresh, place);
    return;
  }
  try {
    unlinkSync(fresh);
  } catch {
    // The document is in its place. A second name beside it harms nobody: recovery takes it away.
  }
}

export function keepModeAndGroup(descriptor: number, before: DocumentFile): void {
  let mode = Number(before.stat.mode & 0o777n);
  const { gid, uid, mode: given } = fstatSync(descriptor);
  if (gid !== Number(before.stat.gid)) {
    try {
      fchownSync(descriptor, uid, Number(before.stat.gid));
    } catch (error) {
      if (!hasCode(error, "EPERM")) throw error;
      // Not our group to give: then its members must not gain what was meant for another group.
      mode &= ~0o070 | ((mode & 0o007) << 3);
    }
  }
  if (mode !== (given & 0o777)) fchmodSync(descriptor, mode);
}

export function writeAll(descriptor: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(descriptor, bytes, written, bytes.length - written);
  }
}

/**
 * What is in a place that we changed just now. Who saves, makes or deletes a file takes no lock, and may do so right
 * after us: then ours took effect, and theirs stays. But a link, a special file or a file that has another name
 * somewhere may be what our draft was swapped for before it came here; it leads out of the root and must go. Names in
 * the auxiliary folder do not count: a writer who took the lock that was taken away from us gives them.
 */
export function whatIsIn(folder: Directory, name: string, staged: bigint | undefined): "ours" | "theirs" | "swapped" {
  const now = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
  // Neither: we took the file away, and it is still gone.
  if (now?.ino === staged) return "ours";
  return !now || (now.isFile() && standingOf(folder, name, { stat: now }) !== "shared") ? "theirs" : "swapped";
}

/** Right before the draft comes into its place: what was swapped by now does not come there at all. */
export function assertStaged(draft: string, staged: bigint): void {
  if (lstatSync(draft, { bigint: true, throwIfNoEntry: false })?.ino !== staged) throw swapped();
}

/** Right after it: what was swapped in between is found in the place. */
export function assertNotSwapped(folder: Directory, name: string, staged: bigint): void {
  if (whatIsIn(folder, name, staged) === "swapped") throw swapped();
}

function swapped(): Error {
  return staleError("what was staged was replaced during the operation");
}
