import { closeSync } from "node:fs";
import { relative } from "node:path";
import { RecollectError } from "../../core/errors.ts";
import type { Outcome } from "../../core/store.ts";
import { allDone } from "./all-done.ts";
import { auxiliaryNames, removeIfThere } from "./auxiliary.ts";
import { type Directory, syncDescriptor } from "./directory.ts";
import {
  discardFresh,
  dropKept,
  type Effect,
  keepFormer,
  publish,
  publishTwin,
  retract,
  stage,
  writeStaged,
} from "./durable-file.ts";
import { type Intent, readIntent, removeIntent, writeIntent } from "./intent.ts";
import { appendToJournal } from "./journal.ts";
import type { JournalRecord } from "./journal-record.ts";
import { hasCode } from "./storage-error.ts";

/** The part of a commit that lies in one folder, whose lock is held. */
export interface FolderPart {
  readonly folder: Directory;
  readonly auxiliary: Directory;
  readonly realPath: string;
  /** Throws ESTALE where somebody took the lock away since, so that others may write beside us. */
  assertInPlace(): void;
}

/** An effect, its folder's part, the number under which its content is staged there, and its journal line. */
export interface PlannedEffect {
  readonly part: FolderPart;
  readonly effect: Effect;
  readonly fresh: number;
  readonly record: JournalRecord;
}

/** One document: staged, journaled, put in place, made durable. On any failure the old document stays. */
export async function applyOne({ part, effect, fresh, record }: PlannedEffect, blocking: boolean): Promise<void> {
  let staged: bigint | undefined;
  try {
    staged = await stage(effect, fresh, blocking);
    keepFormer(effect);
    appendToJournal(part.auxiliary, [record]);
    part.assertInPlace();
    publish(effect, fresh, staged);
  } catch (error) {
    discardFresh(part.auxiliary, fresh);
    dropKept(effect);
    throw error;
  }
  try {
    await part.folder.sync(blocking);
  } catch (error) {
    retract(effect, fresh, staged);
    discardFresh(part.auxiliary, fresh);
    // That it was taken back must get to the disk too. Where it does not, the failure is told all the same.
    await part.folder.sync(false).catch(() => {});
    throw error;
  }
}

/**
 * A lock was taken away during a commit of several documents. Whoever has taken the new one since may have met the
 * intents, and brought the commit to its end.
 */
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
}

/** A commit of several documents, by the name that its intents and journal lines have in common, and what it makes. */
interface BatchCommit {
  readonly batch: string;
  readonly outcomes: readonly Outcome[];
}

/**
 * Several documents: everything is staged, and each folder gets its intent, the coordinator's last of all.
 * Once all of that is on disk, recovery carries the commit to its end; before, nothing has happened.
 */
export async function applyMany(
  planned: readonly PlannedEffect[],
  commit: BatchCommit,
  blocking: boolean,
): Promise<void> {
  const parts = [...new Set(planned.map(({ part }) => part))];
  const published = new Map<PlannedEffect, bigint | undefined>();
  try {
    const staged = await prepare(planned, parts, commit.batch, blocking);
    for (const { effect } of planned) keepFormer(effect);
    for (const part of parts) appendToJournal(part.auxiliary, recordsOf(part, planned));
    for (const part of parts) part.assertInPlace();
    for (const [one, inode] of staged) {
      publishTwin(one.effect, one.fresh, inode);
      published.set(one, inode);
    }
    await syncFolders(parts, blocking);
  } catch (error) {
    const isInDoubt = hasCode(error, "ESTALE", "ENOENT") && parts.some(isTakenAway);
    // Whoever ended it took the intents away, and what others met in its place is not ours to take back.
    const isOurs = !isInDoubt || intentIn(parts)?.batch === commit.batch;
    const isTakenBack = isOurs && (await undo(error, published, parts, planned));
    throw isInDoubt ? new CommitInDoubt(commit, published.size > 0 && !isTakenBack, error) : error;
  }
  try {
    for (const { fresh, effect } of planned) {
      if (effect.content) removeIfThere(effect.auxiliary, auxiliaryNames.fresh(fresh));
    }
    for (const { auxiliary } of parts) removeIfThere(auxiliary, auxiliaryNames.intent);
    // Before others may write: the decision must not come back after a power cut and undo what was written since.
    await parts[0]?.auxiliary.sync(blocking);
  } catch {
    // All of it is done and durable. An intent that stays is ended by whoever comes next, and changes nothing.
  }
}

function intentIn([coordinator]: readonly FolderPart[]): Intent | undefined {
  return coordinator && readIntent(coordinator.auxiliary);
}

function isTakenAway(part: FolderPart): boolean {
  try {
    part.assertInPlace();
    return false;
  } catch (error) {
    return hasCode(error, "ESTALE");
  }
}

/**
 * Stages the documents and writes the intents. In which order they get to the disk does not matter, since only all
 * of it together decides. So everything is written first, and synced at once afterwards: the disk takes it in one
 * go, and a file that is made while another one is synced would have to wait for that.
 */
async function prepare(
  planned: readonly PlannedEffect[],
  parts: readonly FolderPart[],
  batch: string,
  blocking: boolean,
): Promise<ReadonlyMap<PlannedEffect, bigint | undefined>> {
  const inodes = new Map<PlannedEffect, bigint | undefined>();
  const descriptors: number[] = [];
  try {
    for (const one of planned) {
      const staged = writeStaged(one.effect, one.fresh);
      if (staged) descriptors.push(staged.descriptor);
      inodes.set(one, staged?.inode);
    }
    for (const part of parts.toReversed()) {
      descriptors.push(writeIntent(part.auxiliary, intentOf(part, parts, inodes, batch)));
    }
    await syncTogether(
      [
        ...descriptors.map((descriptor) => (wait: boolean) => syncDescriptor(descriptor, wait)),
        ...parts.map((part) => (wait: boolean) => part.auxiliary.sync(wait)),
      ],
      blocking,
    );
    return inodes;
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor);
  }
}

export async function syncFolders(parts: readonly FolderPart[], blocking: boolean): Promise<void> {
  await syncTogether(
    parts.map((part) => (wait: boolean) => part.folder.sync(wait)),
    blocking,
  );
}

/** Side by side, on the thread pool; where the main thread may wait for the disk, it takes one of them itself. */
async function syncTogether(syncs: readonly ((blocking: boolean) => Promise<void>)[], blocking: boolean) {
  await allDone(syncs.map((sync, index) => sync(blocking && index === syncs.length - 1)));
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

function intentOf(
  part: FolderPart,
  parts: readonly FolderPart[],
  staged: ReadonlyMap<PlannedEffect, bigint | undefined>,
  batch: string,
): Intent {
  const planned = [...staged.keys()];
  const coordinator = parts[0] ?? part;
  const pathTo = (other: FolderPart) => relative(part.realPath, other.realPath);
  return {
    batch,
    coordinator: pathTo(coordinator),
    folders: part === coordinator ? parts.map(pathTo) : [],
    steps: planned.filter((one) => one.part === part).map((one) => toStep(one, staged.get(one))),
    records: recordsOf(part, planned),
  };
}

function recordsOf(part: FolderPart, planned: readonly PlannedEffect[]): JournalRecord[] {
  return planned.filter((one) => one.part === part).map((one) => one.record);
}

function toStep({ effect, fresh }: PlannedEffect, inode: bigint | undefined) {
  return { name: effect.name, rev: effect.content?.rev, was: effect.before?.rev, fresh, inode: inode?.toString() };
}

/**
 * Takes a commit back: the documents first, durably, the decision next, what was staged last, so that at every
 * moment, also after a power cut, recovery finds either all of it or nothing to do. Where that fails too, recovery
 * has the last word. False where somebody else has changed a document since.
 */
async function undo(
  failure: unknown,
  published: ReadonlyMap<PlannedEffect, bigint | undefined>,
  parts: readonly FolderPart[],
  planned: readonly PlannedEffect[],
): Promise<boolean> {
  try {
    const taken = [...published].reverse().map(([{ effect, fresh }, staged]) => retract(effect, fresh, staged));
    if (published.size > 0) await syncFolders(parts, false);
    await clearIntents(parts);
    for (const { part, fresh } of planned) {
      for (const index of [fresh, `${fresh}-placed`] as const) discardFresh(part.auxiliary, index);
    }
    return taken.every(Boolean);
  } catch (error) {
    throw new RecollectError(
      "RECOVERY_NEEDED",
      "The operation failed, and so did taking it back. The next operation brings it to its end: all of it or nothing.",
      { cause: new AggregateError([failure, error]) },
    );
  }
}
