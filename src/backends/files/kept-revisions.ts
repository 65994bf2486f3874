import { closeSync, lstatSync, renameSync, rmSync } from "node:fs";
import { isRecollectError } from "../../kernel/errors.ts";
import type { Rev } from "../../kernel/revision.ts";
import { auxiliaryNames, exists, removeLeftover } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { type DocumentFile, readPlainFile } from "./document-file.ts";
import { assertUnchanged, copyTo, discard, type Effect, inodeOf, linkOrCopy, writeContent } from "./durable-file.ts";

/*
 * The revisions that history has not taken over yet, each as `kept-REV`: what was superseded, by a second name of its
 * file, which is on disk; and what is there now, by a copy, since an editor that saves in place writes through a
 * second name.
 */

/**
 * Gives the bytes that are about to be superseded a second name (KER-6b). Where a copy of them is kept already, that
 * name waits beside it until the document was replaced: an editor that saves in place before that would change both.
 * True where it waits.
 */
export function keepFormer({ folder, auxiliary, name, before }: Effect, index: number): boolean {
  if (!before) return false;
  const place = folder.at(name);
  const kept = auxiliary.at(auxiliaryNames.kept(before.rev));
  const found = lstatSync(kept, { bigint: true, throwIfNoEntry: false });
  const isKept = found?.isFile() === true && (found.ino === before.stat.ino || keepsCopy(auxiliary, before));
  const waits = !isKept && found?.isFile() === true && !before.isShared;
  if (!isKept) keepAs(waits ? auxiliary.at(auxiliaryNames.former(index)) : kept, place, before);
  try {
    assertUnchanged(place, before);
    return waits;
  } catch (error) {
    if (!isKept && !waits) rmSync(kept, { force: true });
    throw error;
  }
}

/** A copy does for a file with a second name elsewhere: by that name it can change, and what is kept of it with it. */
function keepsCopy(auxiliary: Directory, { isShared, rev }: DocumentFile): boolean {
  return isShared === true && readKept(auxiliary, rev) !== undefined;
}

function keepAs(to: string, place: string, before: DocumentFile): void {
  const keep = () => (before.isShared ? copyTo(to, before) : linkOrCopy(place, to, before));
  if (keep() !== "exists") return;
  // It is not these bytes, or a link or a folder: that came from somewhere else.
  removeLeftover(to);
  keep();
}

/** After the document was replaced. Unlike the copy, the superseded file itself is on disk, so it replaces the copy. */
export function settleFormer({ auxiliary, before }: Effect, index: number): void {
  if (!before) return;
  const name = auxiliaryNames.former(index);
  try {
    renameSync(auxiliary.at(name), auxiliary.at(auxiliaryNames.kept(before.rev)));
  } catch {
    // The copy does until a power cut.
    discard(auxiliary, name);
  }
}

/** Takes that second name away again, where the document was not replaced after all. */
export function dropKept({ folder, auxiliary, name, before }: Effect): void {
  if (!before) return;
  const kept = auxiliary.at(auxiliaryNames.kept(before.rev));
  try {
    if (inodeOf(kept) === inodeOf(folder.at(name))) rmSync(kept, { force: true });
  } catch {
    // It harms nobody, and recovery takes it away. What is told is why the operation failed.
  }
}

/**
 * A copy of the new content, not synced, for an editor may save over the document before history has it, by rename or
 * in place (HIST-1). Once the document is durable, and not before: history would tell of a write that was cut off. The
 * write is not answered yet, and whatever becomes of the copy, it will be.
 */
export function keepNew(effect: Effect): void {
  const { auxiliary, content } = effect;
  if (!content) return;
  const name = auxiliaryNames.kept(content.rev);
  try {
    // A superseded file with the same text is on disk, which the copy is not.
    if (exists(auxiliary, name) && readKept(auxiliary, content.rev)) return;
    closeSync(writeContent(effect, name, content.bytes));
  } catch {
    discard(auxiliary, name);
  }
}

/** The bytes of a superseded revision, checked against their name. */
export function readKept(auxiliary: Directory, rev: Rev): Buffer | undefined {
  try {
    const file = readPlainFile(auxiliary, auxiliaryNames.kept(rev), Number.POSITIVE_INFINITY);
    return file?.rev === rev ? file.bytes : undefined;
  } catch (error) {
    // A link or a folder of that name came from somebody else.
    if (isRecollectError(error) && error.code === "NOT_A_DOCUMENT") return undefined;
    throw error;
  }
}
