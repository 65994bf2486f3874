import { type BigIntStats, lstatSync, readdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { isExistingPath } from "../../kernel/document-path.ts";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import type { RecoveryReport } from "../../kernel/store.ts";
import type { FolderPart } from "./apply.ts";
import { auxiliaryNames, hasAuxiliary, isKept, isUnfinished, openAuxiliary } from "./auxiliary.ts";
import { type Directory, syncFolders } from "./directory.ts";
import { type DocumentFile, readDocumentFile, readPlainFile } from "./document-file.ts";
import { publish, stage, twinOf } from "./durable-file.ts";
import { clearIntents } from "./failed-commit.ts";
import { type Intent, type IntentStep, readIntent, removeIntent } from "./intent.ts";
import { journalHasBatch } from "./journal.ts";
import { appendToJournal } from "./journal-segment.ts";
import { keepFormer, keepNew, settleFormer } from "./kept-revisions.ts";
import { createOpenFolders, type HeldFolders, type OpenFolder, type OpenFolders } from "./open-folders.ts";
import type { Place, RootFolders } from "./root-folders.ts";
import { hasCode } from "./storage-error.ts";

export interface RecoveryContext {
  readonly roots: RootFolders;
  /** Undefined where a live process holds one of them: then there is nothing to recover yet. */
  readonly hold: (folders: readonly OpenFolder[]) => Promise<HeldFolders | undefined>;
}

const nothing: RecoveryReport = { completed: 0, discarded: 0 };

/** Whether a killed process left anything here. */
export function hasLeftovers(folder: Directory): boolean {
  // By its descriptor: a link in its place is not followed.
  const auxiliary = openAuxiliary(folder);
  try {
    const names = auxiliary ? readdirSync(auxiliary.at(".")) : [];
    return names.includes(auxiliaryNames.intent) || names.some(isUnfinished);
  } catch (error) {
    // Deleted since it was opened.
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  } finally {
    auxiliary?.close();
  }
}

/**
 * Ends what a killed process began in this folder: a decided commit is carried out in all its
 * folders, anything else is taken away. Everything is looked at again once the locks are held, so a
 * live process is never disturbed.
 */
export async function recoverFolder(place: Place, context: RecoveryContext): Promise<RecoveryReport> {
  const folders = createOpenFolders(context.roots);
  try {
    const own = folders.open(place);
    return own ? await recoverOpen(own, folders, context) : nothing;
  } catch (error) {
    // Deleted under our hands, and what was to be ended went with it. SQLite has codes of its own for that.
    if (!hasCode(error, "ENOENT", "ESTALE", "ERR_SQLITE_ERROR") || isLeft(place, context.roots)) throw error;
    return nothing;
  } finally {
    folders.close();
  }
}

function isLeft(place: Place, roots: RootFolders): boolean {
  const folder = roots.open(place);
  try {
    return folder !== undefined && hasLeftovers(folder);
  } finally {
    folder?.close();
  }
}

async function recoverOpen(
  own: OpenFolder,
  folders: OpenFolders,
  { roots, hold }: RecoveryContext,
): Promise<RecoveryReport> {
  const { batch, coordinated, folders: involved } = lookForCommit(own, folders, roots);
  const held = await hold([own, ...involved]);
  if (!held) return nothing;
  try {
    const parts = [...new Set(involved.map((open) => held.part(open)))];
    const now = parts[0] && readIntent(parts[0].auxiliary);
    if (coordinated && now?.batch === batch) return await end(parts, coordinated.batch, coordinated.areAllThere);
    const part = held.part(own);
    const mine = readIntent(part.auxiliary);
    // Another one, or one whose coordinator came to its intent since: whoever looks again knows all its folders.
    if (mine && (mine.batch !== batch || mine.batch === now?.batch)) return nothing;
    return { completed: 0, discarded: discardAll(part) };
  } finally {
    held.release();
  }
}

/** The commit whose intent lies in a folder, as it looks before any lock is held. */
interface SeenCommit {
  readonly batch?: string;
  /** Those of its folders that are there, the coordinator's first. */
  readonly folders: readonly OpenFolder[];
  /** Undefined where the coordinator has no intent of it: without that the others mean nothing. */
  readonly coordinated?: { readonly batch: string; readonly areAllThere: boolean };
}

function lookForCommit(own: OpenFolder, folders: OpenFolders, roots: RootFolders): SeenCommit {
  const intent = intentIn(own.folder);
  if (!intent) return { folders: [] };
  const { batch } = intent;
  const coordinator = reach(own, intent.coordinator, folders, roots);
  if (!coordinator) return { batch, folders: [] };
  const decision = intentIn(coordinator.folder);
  if (decision?.batch !== batch) return { batch, folders: [coordinator] };
  const others = decision.folders.flatMap((path) => reach(coordinator, path, folders, roots) ?? []);
  const areAllThere = others.length === decision.folders.length;
  return { batch, folders: [coordinator, ...others], coordinated: { batch, areAllThere } };
}

/** Carries it out where it was decided, and takes it away otherwise. The coordinator's part is the first. */
async function end(parts: readonly FolderPart[], batch: string, areAllThere: boolean): Promise<RecoveryReport> {
  const intents = new Map(parts.map((part) => [part, intentOf(part, batch)]));
  const involved = parts.filter((part) => intents.get(part));
  const isWhole = parts.every((part) => intents.get(part)?.steps.every((step) => isStaged(part, step)));
  // Its lines are written once it was decided, and outlive a kill; so does the decision, whatever was deleted since.
  const isDecided = isWhole || parts.some((part) => journalHasBatch(part.auxiliary, batch));
  const isComplete = areAllThere && involved.length === parts.length;
  for (const part of isDecided ? involved : []) {
    const intent = intents.get(part) as Intent;
    await carryOut(part, isComplete ? intent : withoutMovedAway(intent));
  }
  await syncFolders(involved, false);
  await clearIntents(involved);
  const discarded = involved.map(discardAll).reduce((sum, count) => sum + count, 0);
  return isDecided ? { completed: 1, discarded: 0 } : { completed: 0, discarded };
}

function intentOf(part: FolderPart, batch: string): Intent | undefined {
  const intent = readIntent(part.auxiliary);
  return intent?.batch === batch ? intent : undefined;
}

/**
 * Whether its content got to the disk: it is still there, or it is in its place, where a person may have changed it.
 * A file of the name alone may be of an earlier commit, whose document it became: its removal was not synced.
 */
function isStaged({ folder, auxiliary }: FolderPart, step: IntentStep): boolean {
  if (!step.rev) return true;
  const staged = readStaged(auxiliary, step);
  if (staged?.rev === step.rev) return true;
  const now = documentOrOther(folder, step.name);
  if (now === "other" || !now) return false;
  return now.rev === step.rev || (now.stat.ino === staged?.stat.ino && String(now.stat.ino) === step.inode);
}

function readStaged(auxiliary: Directory, step: IntentStep): DocumentFile | undefined {
  return readPlainFile(auxiliary, auxiliaryNames.fresh(step.fresh), Number.POSITIVE_INFINITY);
}

/** A folder that is away may be the one to which a document was to go: then it stays where it was. */
function withoutMovedAway(intent: Intent): Intent {
  const records = intent.records.filter(({ kind, rev }) => kind !== "move" || rev !== undefined);
  const names = new Set(records.map(({ name }) => name));
  return { ...intent, records, steps: intent.steps.filter(({ name }) => names.has(name)) };
}

async function carryOut(part: FolderPart, intent: Intent): Promise<void> {
  if (!journalHasBatch(part.auxiliary, intent.batch)) appendToJournal(part.auxiliary, intent.records);
  for (const step of intent.steps) await carryOutStep(part, step);
}

async function carryOutStep({ folder, auxiliary }: FolderPart, step: IntentStep): Promise<void> {
  const before = documentOrOther(folder, step.name);
  const staged = step.rev ? readStaged(auxiliary, step) : undefined;
  if (staged?.rev !== step.rev) return;
  const isBefore = before !== "other" && before?.rev === step.was && before?.rev !== step.rev;
  const former = isBefore ? before : undefined;
  const effect = { folder, auxiliary, name: step.name, content: staged, before: former, movedFrom: staged };
  if (isBefore) {
    // A copy, synced: what was staged stays until all is done, and whoever staged it may have been cut off before that.
    const inode = await stage(effect, twinOf(step.fresh), false);
    const waits = keepFormer(effect, step.fresh);
    publish(effect, twinOf(step.fresh), inode);
    if (waits) settleFormer(effect, step.fresh);
  }
  // For history, also where a person changed the document since: that stays.
  keepNew(effect);
}

function documentOrOther(folder: Directory, name: string): DocumentFile | "other" | undefined {
  try {
    return readDocumentFile(folder, name, Number.POSITIVE_INFINITY);
  } catch (error) {
    if (isRecollectError(error) && error.code === "NOT_A_DOCUMENT") return "other";
    throw error;
  }
}

function discardAll({ folder, auxiliary }: FolderPart): number {
  const left = readdirSync(auxiliary.at(".")).filter(isUnfinished);
  for (const name of left) rmSync(auxiliary.at(name), { force: true });
  dropKeptOfLive(folder, auxiliary);
  removeIntent(auxiliary);
  return left.length;
}

/**
 * A kept revision that is still a live document, whose replacement was cut off, loses its name as a kept one, or the
 * document would count as shared once a person moves it. One with another name elsewhere stays: a backup by hard links
 * (`cp -al`) gives one to all that wait for history.
 */
function dropKeptOfLive(folder: Directory, auxiliary: Directory): void {
  const kept = filesIn(auxiliary, isKept).filter(({ stat }) => stat.nlink > 1n);
  if (kept.length === 0) return;
  const live = new Set(filesIn(folder).map(({ stat }) => stat.ino));
  for (const { name, stat } of kept) if (live.has(stat.ino)) rmSync(auxiliary.at(name), { force: true });
}

function filesIn(folder: Directory, isWanted = (_: string) => true): { name: string; stat: BigIntStats }[] {
  return readdirSync(folder.at("."))
    .filter(isWanted)
    .flatMap((name) => {
      const stat = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
      return stat?.isFile() ? [{ name, stat }] : [];
    });
}

function intentIn(folder: Directory): Intent | undefined {
  const auxiliary = openAuxiliary(folder);
  try {
    return auxiliary && readIntent(auxiliary);
  } finally {
    auxiliary?.close();
  }
}

/** Another folder of the commit, reached safely inside a root of this store; undefined where it was deleted. */
function reach(from: OpenFolder, path: string, folders: OpenFolders, roots: RootFolders): OpenFolder | undefined {
  const place = roots.placeOf(resolve(from.realPath, path));
  // Never a reserved folder such as .git, and never one that is only to be read.
  const allowed = place && (place.segments.length === 0 || isExistingPath(place.segments.join("/")));
  if (allowed && !roots.isReadOnly(place)) {
    const found = folders.open(place);
    // Among files that are not ours, only a folder that held documents before; holding it would make it one.
    if (!found || !roots.isPlain(place) || hasAuxiliary(found.folder)) return found;
  }
  throw new RecollectError(
    "RECOVERY_NEEDED",
    "An operation over several folders was cut off, and one of them is not configured or not writable here. " +
      "Open all of them once, or move “.recollect/intent” out of this folder to give the operation up.",
  );
}
