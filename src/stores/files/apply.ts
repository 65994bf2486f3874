import { relative } from "node:path";
import { RecollectError } from "../../core/errors.ts";
import { allDone } from "./all-done.ts";
import type { Directory } from "./directory.ts";
import { discardFresh, dropKept, type Effect, keepFormer, publish, retract, stage } from "./durable-file.ts";
import { type Intent, removeIntent, writeIntent } from "./intent.ts";
import { appendToJournal } from "./journal.ts";
import type { JournalRecord } from "./journal-record.ts";

/** The part of a commit that lies in one folder, whose lock is held. */
export interface FolderPart {
  readonly folder: Directory;
  readonly auxiliary: Directory;
  readonly realPath: string;
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
  try {
    const staged = await stage(effect, fresh, blocking);
    keepFormer(effect);
    appendToJournal(part.auxiliary, [record]);
    publish(effect, fresh, staged);
  } catch (error) {
    discardFresh(part.auxiliary, fresh);
    dropKept(effect);
    throw error;
  }
  try {
    await part.folder.sync(blocking);
  } catch (error) {
    retract(effect, fresh);
    discardFresh(part.auxiliary, fresh);
    throw error;
  }
}

/**
 * Several documents: everything is staged, and each folder gets its intent, the coordinator's last of all.
 * From that moment on recovery carries the commit to its end; before it, nothing has happened. What need not
 * wait for each other is synced side by side, off the main thread: the disk takes it in one go.
 */
export async function applyMany(planned: readonly PlannedEffect[], batch: string): Promise<void> {
  const parts = [...new Set(planned.map(({ part }) => part))];
  const staged = new Map<PlannedEffect, bigint | undefined>();
  try {
    const [coordinator, ...participants] = parts.map((part) => intentOf(part, parts, planned, batch));
    await allDone([
      ...planned.map(async (one) => void staged.set(one, await stage(one.effect, one.fresh, false))),
      ...participants.map(({ auxiliary, intent }) => writeIntent(auxiliary, intent)),
    ]);
    if (coordinator) await writeIntent(coordinator.auxiliary, coordinator.intent);
  } catch (error) {
    await undo(error, [], parts, planned);
    throw error;
  }
  const published: PlannedEffect[] = [];
  try {
    for (const { effect } of planned) keepFormer(effect);
    for (const part of parts) appendToJournal(part.auxiliary, recordsOf(part, planned));
    for (const one of planned) {
      publish(one.effect, one.fresh, staged.get(one));
      published.push(one);
    }
    await syncFolders(parts);
  } catch (error) {
    await undo(error, published, parts, planned);
    throw error;
  }
  try {
    await clearIntents(parts);
  } catch {
    // All of it is done and durable. An intent that stays is ended by whoever comes next, and changes nothing.
  }
}

export async function syncFolders(parts: readonly FolderPart[]): Promise<void> {
  await allDone(parts.map((part) => part.folder.sync(false)));
}

/**
 * The coordinator's intent goes first, durably: without it the others mean nothing, so that none of
 * them can come back after a power cut and undo what was written since.
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
  planned: readonly PlannedEffect[],
  batch: string,
): { auxiliary: Directory; intent: Intent } {
  const coordinator = parts[0] ?? part;
  const pathTo = (other: FolderPart) => relative(part.realPath, other.realPath);
  return {
    auxiliary: part.auxiliary,
    intent: {
      batch,
      coordinator: pathTo(coordinator),
      folders: part === coordinator ? parts.map(pathTo) : [],
      steps: planned.filter((one) => one.part === part).map(toStep),
      records: recordsOf(part, planned),
    },
  };
}

function recordsOf(part: FolderPart, planned: readonly PlannedEffect[]): JournalRecord[] {
  return planned.filter((one) => one.part === part).map((one) => one.record);
}

function toStep({ effect, fresh }: PlannedEffect) {
  return { name: effect.name, rev: effect.content?.rev, was: effect.before?.rev, fresh };
}

/**
 * Takes a commit back: the documents first, the decision next, what was staged last, so that at every
 * moment recovery finds either all of it or nothing to do. Where that fails too, recovery has the last word.
 */
async function undo(
  failure: unknown,
  published: readonly PlannedEffect[],
  parts: readonly FolderPart[],
  planned: readonly PlannedEffect[],
): Promise<void> {
  try {
    for (const one of published.toReversed()) retract(one.effect, one.fresh);
    await clearIntents(parts);
    for (const { part, fresh } of planned) discardFresh(part.auxiliary, fresh);
  } catch (error) {
    throw new RecollectError(
      "RECOVERY_NEEDED",
      "The operation failed, and so did taking it back. The next operation brings it to its end: all of it or nothing.",
      { cause: new AggregateError([failure, error]) },
    );
  }
}
