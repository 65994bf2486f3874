import { RecollectError } from "../../kernel/errors.ts";
import type { Outcome } from "../../kernel/store.ts";
import type { FolderPart, PlannedEffect } from "./apply.ts";
import { auxiliaryNames, removeIfThere } from "./auxiliary.ts";
import { type Directory, syncFolders } from "./directory.ts";
import { discardDrafts, retract } from "./durable-file.ts";
import { readIntent, removeIntent } from "./intent.ts";
import { recordsFrom } from "./journal.ts";
import { fileAt, type HeldFolders, type OpenFolders, readNamed } from "./open-folders.ts";
import { forgetFormer } from "./release-folder.ts";
import { type RootFolders, splitAddress } from "./root-folders.ts";
import { hasCode, notTakenBack } from "./storage-error.ts";

/*
 * What becomes of a commit of several documents where applying it fails, and what its caller is told:
 *
 * - undone: the documents are what they were, and the coordinator's intent, without which nobody carries it out any
 *   more, is gone; both on disk. The failure itself is told.
 * - recovery needed: taking it back failed, too. Its intents stay, and the next operation brings it to its end, all of
 *   it or nothing. RECOVERY_NEEDED is told.
 * - in doubt: a lock was taken away, or may have been, and whoever has the new one may have brought it to its end. Its
 *   caller begins again, and asks `isEnded` with the new locks held: where all of it is there, it is acknowledged;
 *   where nothing is, it is done anew. Where it does not come to that answer, for whatever reason, RECOVERY_NEEDED is
 *   told.
 * - done: all of it was durable before tidying up failed. It is acknowledged, and what is left changes nothing.
 *
 * A single document has no intent: `applyOne` takes it back on the spot, or tells RECOVERY_NEEDED.
 */

/** A commit of several documents, by the name that its intents and journal lines have in common, and what it makes. */
export interface BatchCommit {
  readonly batch: string;
  readonly outcomes: readonly Outcome[];
}

/** How far it came. */
interface FailedCommit {
  readonly commit: BatchCommit;
  readonly planned: readonly PlannedEffect[];
  /** The coordinator's first. */
  readonly parts: readonly FolderPart[];
  /** The documents that were put in place, with the inodes that were staged for them. */
  readonly published: ReadonlyMap<PlannedEffect, bigint | undefined>;
}

/** Undoes the commit where it is still ours to undo, and returns what to throw. */
export async function failureOf(failed: FailedCommit, cause: unknown): Promise<unknown> {
  const { commit, parts, published } = failed;
  // A document could not be taken back on the spot: with the intents, recovery ends all of it.
  if (hasCode(cause, "RECOVERY_NEEDED")) return cause;
  if (parts.every(isHeld)) {
    await takeBack(failed, cause);
    return cause;
  }
  // Whoever ended it took the intents away, and what others met in its place is not ours to take back.
  const isTakenBack = isOurs(failed) && (await takeBack(failed, cause));
  return new CommitInDoubt(commit, published.size > 0 && !isTakenBack, cause);
}

/** Where that cannot be told, somebody else may have it. */
function isHeld(part: FolderPart): boolean {
  try {
    part.assertInPlace();
    return true;
  } catch {
    return false;
  }
}

/** Whether nobody has ended it. Where that cannot be told, somebody may have. */
function isOurs({ commit, parts: [coordinator] }: FailedCommit): boolean {
  try {
    return coordinator !== undefined && readIntent(coordinator.auxiliary)?.batch === commit.batch;
  } catch {
    return false;
  }
}

/**
 * The documents first, durably, the decision next, what was staged last, so that at every moment, also after a power
 * cut, recovery finds either all of it or nothing to do. False where somebody else has changed a document since.
 */
async function takeBack({ planned, parts, published }: FailedCommit, cause: unknown): Promise<boolean> {
  try {
    const taken = [...published].reverse().map(([{ effect, fresh }, staged]) => retract(effect, fresh, staged));
    if (published.size > 0) await syncFolders(parts, false);
    await clearIntents(parts);
    for (const { part, fresh } of planned) discardDrafts(part.auxiliary, fresh);
    return taken.every(Boolean);
  } catch (error) {
    throw notTakenBack(cause, error);
  }
}

/**
 * Gives a commit up, or ends one that was cut off. The coordinator's intent goes first, durably: without it the
 * others mean nothing, so that none of them can come back after a power cut and undo what was written since.
 */
export async function clearIntents(parts: readonly FolderPart[]): Promise<void> {
  const [coordinator, ...participants] = parts;
  if (!coordinator) return;
  removeIntent(coordinator.auxiliary);
  await coordinator.auxiliary.sync(false);
  for (const part of participants) removeIntent(part.auxiliary);
}

/** A lock was taken away during the commit, or may have been. By its code, whoever meets it begins again. */
export class CommitInDoubt extends Error {
  readonly code = "ESTALE";
  readonly commit: BatchCommit;
  /** Whether we put some of the documents in place, and could not take them all back. */
  readonly isBegun: boolean;

  constructor(commit: BatchCommit, isBegun: boolean, cause: unknown) {
    super("a lock was deleted during the operation", { cause });
    this.commit = commit;
    this.isBegun = isBegun;
  }

  /** What is told where `isEnded` has no answer, or could not be asked, since something failed. */
  tellWith(failure: unknown): RecollectError {
    return new RecollectError(
      "RECOVERY_NEEDED",
      "A lock in “.recollect” was deleted during an operation on several documents, so all, some or none of them may have been changed. Look at them before you try again.",
      {
        data: { paths: changedBy(this.commit).map(({ at }) => at.path) },
        cause: new AggregateError([this, failure]),
      },
    );
  }
}

/** Whether somebody else brought all of it to its end; false where nothing of it is there. Throws where it is neither. */
export function isEnded(
  { commit, isBegun }: CommitInDoubt,
  folders: OpenFolders,
  held: HeldFolders,
  context: { readonly roots: RootFolders; readonly maxReadBytes: number },
): boolean {
  const changed = changedBy(commit);
  const files = readNamed(
    changed.map(({ at }) => at),
    folders,
    context,
  );
  const ended = changed.filter(({ at, rev }) => {
    const { place, name } = splitAddress(at);
    const open = folders.open(place);
    const lines = open ? recordsFrom(held.part(open).auxiliary, commit.batch) : [];
    const isSuperseded = lines.some((line) => line.name === name && line.was === rev);
    return isSuperseded || (lines.length > 0 && fileAt(files, at)?.rev === rev);
  });
  if (ended.length === changed.length) return true;
  if (ended.length === 0 && !isBegun) return false;
  throw new Error("some of the documents were changed, and others were not");
}

function changedBy({ outcomes }: BatchCommit): readonly Outcome[] {
  return outcomes.filter(({ rev, was }) => rev !== was);
}

/** After all of it is done and durable. */
export async function tidyUp(
  planned: readonly PlannedEffect[],
  parts: readonly FolderPart[],
  blocking: boolean,
): Promise<void> {
  try {
    for (const { fresh, effect } of planned) {
      if (effect.content) removeIfThere(effect.auxiliary, auxiliaryNames.fresh(fresh));
    }
    for (const { auxiliary } of parts) removeIfThere(auxiliary, auxiliaryNames.intent);
    // Before others may write: the decision must not come back after a power cut and undo what was written since.
    await parts[0]?.auxiliary.sync(blocking);
  } catch {
    // An intent that stays is ended by whoever comes next, and changes nothing.
  }
}

/** After that, where nobody takes over what is superseded. */
export function forgetFormerIn(auxiliaries: Iterable<Directory>): void {
  for (const auxiliary of auxiliaries) {
    try {
      forgetFormer(auxiliary);
    } catch {
      // What cannot be taken away now goes with a later commit.
    }
  }
}
