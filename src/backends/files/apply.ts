import { closeSync } from "node:fs";
import { relative } from "node:path";
import { type Directory, syncDescriptor, syncFolders, syncTogether } from "./directory.ts";
import { discardDrafts, type Effect, publish, publishTwin, retract, stage, writeStaged } from "./durable-file.ts";
import { type BatchCommit, failureOf, tidyUp } from "./failed-commit.ts";
import { type Intent, writeIntent } from "./intent.ts";
import type { JournalRecord } from "./journal-record.ts";
import { appendToJournal } from "./journal-segment.ts";
import { dropKept, keepFormer, keepNew, settleFormer } from "./kept-revisions.ts";
import { notTakenBack } from "./storage-error.ts";

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

export interface ApplyOptions {
  readonly blocking: boolean;
  /** Whether history takes over what is written. */
  readonly isFollowed: boolean;
}

/**
 * One document: staged, journaled, put in place, made durable. On any failure the old document stays, or
 * RECOVERY_NEEDED is told.
 */
export async function applyOne(
  { part, effect, fresh, record }: PlannedEffect,
  { blocking, isFollowed }: ApplyOptions,
): Promise<void> {
  let staged: bigint | undefined;
  try {
    staged = await stage(effect, fresh, blocking);
    const waits = keepFormer(effect, fresh);
    appendToJournal(part.auxiliary, [record]);
    part.assertInPlace();
    publish(effect, fresh, staged);
    if (waits) settleFormer(effect, fresh);
  } catch (error) {
    discardDrafts(part.auxiliary, fresh);
    dropKept(effect);
    throw error;
  }
  try {
    await part.folder.sync(blocking);
  } catch (error) {
    try {
      // That it was taken back must get to the disk too. Who has a lock that was taken away may have built on it.
      if (retract(effect, fresh, staged)) await part.folder.sync(false);
      else part.assertInPlace();
    } catch (failure) {
      throw notTakenBack(error, failure);
    }
    discardDrafts(part.auxiliary, fresh);
    throw error;
  }
  if (isFollowed) keepNew(effect);
}

/**
 * Several documents: everything is staged, and each folder gets its intent, the coordinator's last of all.
 * Once all of that is on disk, recovery carries the commit to its end; before, nothing has happened.
 */
export async function applyMany(
  planned: readonly PlannedEffect[],
  commit: BatchCommit,
  { blocking, isFollowed }: ApplyOptions,
): Promise<void> {
  const parts = [...new Set(planned.map(({ part }) => part))];
  const published = new Map<PlannedEffect, bigint | undefined>();
  try {
    const staged = await prepare(planned, parts, commit.batch, blocking);
    const waiting = new Set(planned.filter(({ effect, fresh }) => keepFormer(effect, fresh)));
    for (const part of parts) appendToJournal(part.auxiliary, recordsOf(part, planned));
    for (const part of parts) part.assertInPlace();
    for (const [one, inode] of staged) {
      publishTwin(one.effect, one.fresh, inode);
      published.set(one, inode);
      if (waiting.has(one)) settleFormer(one.effect, one.fresh);
    }
    await syncFolders(parts, blocking);
  } catch (error) {
    throw await failureOf({ commit, planned, parts, published }, error);
  }
  for (const { effect } of isFollowed ? planned : []) keepNew(effect);
  await tidyUp(planned, parts, blocking);
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
