import { randomUUID } from "node:crypto";
import { relative } from "node:path";
import { assertApplicable, isChanges } from "../../kernel/conflict.ts";
import { RecollectError } from "../../kernel/errors.ts";
import { type Rev, revisionOf } from "../../kernel/revision.ts";
import type {
  Address,
  Change,
  Committed,
  Current,
  Outcome,
  Planning,
  RefusalOf,
  Resolved,
  Stamp,
} from "../../kernel/store.ts";
import { applyMany, applyOne, type FolderPart, type PlannedEffect } from "./apply.ts";
import { firstFreshNumber, hasIntent } from "./auxiliary.ts";
import { type DocumentFile, toStoredDocument } from "./document-file.ts";
import type { Effect } from "./durable-file.ts";
import { CommitInDoubt, forgetFormerIn, isEnded } from "./failed-commit.ts";
import type { FolderLocks } from "./folder-locks.ts";
import {
  createOpenFolders,
  currentOf,
  fileAt,
  type HeldFolders,
  holdFolders,
  type OpenFolders,
  readNamed,
} from "./open-folders.ts";
import { recoverFolder } from "./recovery.ts";
import { type RootFolders, splitAddress } from "./root-folders.ts";
import { hasCode, staleError } from "./storage-error.ts";

export interface CommitContext {
  readonly roots: RootFolders;
  readonly locks: FolderLocks;
  readonly now: () => number;
  readonly blocking: boolean;
  readonly maxReadBytes: number;
  /** Whether somebody takes over what is superseded. */
  readonly isFollowed: boolean;
}

export type Plan<Planned extends Planning> = (current: Current) => Planned;

/** How often to begin again where an editor, a deletion or a cut-off commit changed the folders under us. */
const maxAttempts = 10;

export async function commitChanges<Planned extends Planning>(
  addresses: readonly Resolved[],
  plan: Plan<Planned>,
  stamp: Stamp,
  context: CommitContext,
): Promise<Committed | RefusalOf<Planned>> {
  for (const at of addresses) assertWritable(at, context.roots);
  let doubt: CommitInDoubt | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await tryCommit(addresses, plan, stamp, { ...context, doubt });
      if (result === undone) doubt = undefined;
      else if (result !== cutOff) return result;
      if (attempt === maxAttempts) throw staleError("the folders never came to rest");
    } catch (error) {
      if (error instanceof CommitInDoubt) doubt = error;
      if (attempt === maxAttempts || !hasCode(error, "ESTALE", "ENOENT")) throw doubt?.tellWith(error) ?? error;
    }
  }
}

/** The second wall behind the policies above: a store never changes what it was told only to read. */
function assertWritable(at: Resolved, roots: RootFolders): void {
  if (!roots.isReadOnly(splitAddress(at).place)) return;
  throw new RecollectError("READ_ONLY", `“${at.root}” is read-only.`, { data: { root: at.root } });
}

const cutOff = Symbol("a cut-off commit lies in one of the folders");
const undone = Symbol("nothing is there of a commit of ours that was in doubt");

interface AttemptContext extends CommitContext {
  /** What became of the last attempt is asked first of all, and this one does nothing else. */
  readonly doubt: CommitInDoubt | undefined;
}

type Attempted<Planned extends Planning> = Committed | RefusalOf<Planned> | typeof cutOff | typeof undone;

async function tryCommit<Planned extends Planning>(
  addresses: readonly Resolved[],
  plan: Plan<Planned>,
  stamp: Stamp,
  context: AttemptContext,
): Promise<Attempted<Planned>> {
  const folders = createOpenFolders(context.roots);
  try {
    const result = await commitIn(folders, addresses, plan, stamp, context);
    if (result === cutOff) await recoverAll(addresses, context);
    return result;
  } finally {
    folders.close();
  }
}

async function commitIn<Planned extends Planning>(
  folders: OpenFolders,
  addresses: readonly Resolved[],
  plan: Plan<Planned>,
  stamp: Stamp,
  context: AttemptContext,
): Promise<Attempted<Planned>> {
  const { doubt } = context;
  const missing = addresses.filter((at) => !folders.open(splitAddress(at).place));
  if (missing.length > 0 && !doubt) {
    if (folders.all().some(({ folder }) => hasIntent(folder))) return cutOff;
    // Asked before anything is made, so that a refusal leaves no empty folder behind.
    const files = readNamed(addresses, folders, context);
    const planned: Planning = plan(currentOf(files));
    if (!isChanges(planned)) return planned as RefusalOf<Planned>;
    assertApplicable(planned, (at) => fileAt(files, at));
    for (const change of planned) {
      await folders.make(splitAddress(change.kind === "move" ? change.to : change.at).place, context.blocking);
    }
  }
  const held = await holdFolders(folders.all(), context.locks);
  try {
    if (folders.all().some(({ folder }) => hasIntent(folder))) return cutOff;
    if (doubt && !isEnded(doubt, folders, held, context)) return undone;
    if (doubt) return { kind: "committed", outcomes: doubt.commit.outcomes };
    return await commitHeld(addresses, plan, stamp, folders, held, context);
  } finally {
    held.release();
  }
}

async function commitHeld<Planned extends Planning>(
  addresses: readonly Resolved[],
  plan: Plan<Planned>,
  stamp: Stamp,
  folders: OpenFolders,
  held: HeldFolders,
  context: CommitContext,
): Promise<Committed | RefusalOf<Planned>> {
  const files = readNamed(addresses, folders, context);
  held.assertAll(folders.all());
  const changes = plan(currentOf(files));
  if (!isChanges(changes)) return changes as RefusalOf<Planned>;
  assertApplicable(changes, (at) => fileAt(files, at));
  const batch = changes.length > 1 || changes.some(({ kind }) => kind === "move") ? randomUUID() : undefined;
  const subjectAt = (at: Address) => {
    const { place, name } = splitAddress(at);
    const open = folders.open(place);
    if (!open) throw staleError("a folder vanished during the operation");
    return { at, name, part: held.part(open), before: fileAt(files, at) };
  };
  const time = new Date(context.now()).toISOString();
  const { planned, outcomes } = planEffects(changes, subjectAt, { ...stamp, time, ...(batch ? { batch } : {}) });
  const [only] = planned;
  if (batch) await applyMany(planned, { batch, outcomes }, context);
  else if (only) await applyOne(only, context);
  if (!context.isFollowed) forgetFormerIn(new Set(planned.map(({ part }) => part.auxiliary)));
  return { kind: "committed", outcomes };
}

async function recoverAll(addresses: readonly Resolved[], { roots, locks }: CommitContext): Promise<void> {
  for (const at of addresses) {
    await recoverFolder(splitAddress(at).place, { roots, hold: (open) => holdFolders(open, locks) });
  }
}

/** A document of the commit: its locked folder, and what is in it now. */
interface Subject {
  readonly at: Address;
  readonly name: string;
  readonly part: FolderPart;
  readonly before: DocumentFile | undefined;
}

interface EffectPlan {
  readonly planned: readonly PlannedEffect[];
  readonly outcomes: readonly Outcome[];
}

/** Turns applicable changes into effects on files, each with the line that it leaves in its folder's journal. */
function planEffects(
  changes: readonly Change[],
  subjectAt: (at: Address) => Subject,
  stamp: Stamp & { readonly time: string; readonly batch?: string },
): EffectPlan {
  const planned: PlannedEffect[] = [];
  const outcomes: Outcome[] = [];
  const firstNumber = firstFreshNumber();

  function add(
    kind: Change["kind"],
    { at, name, part, before }: Subject,
    content: Effect["content"],
    move?: { readonly other: Subject; readonly movedFrom?: DocumentFile | undefined },
  ): void {
    const other = move && relative(part.realPath, `${move.other.part.realPath}/${move.other.name}`);
    planned.push({
      part,
      fresh: firstNumber + planned.length,
      effect: { folder: part.folder, auxiliary: part.auxiliary, name, content, before, movedFrom: move?.movedFrom },
      record: { kind, name, rev: content?.rev, was: before?.rev, other, ...stamp },
    });
    outcomes.push({ at, rev: content?.rev, was: before?.rev });
  }

  for (const change of changes) {
    switch (change.kind) {
      case "put":
        add("put", subjectAt(change.at), contentOf(change.content));
        break;
      case "append": {
        const subject = subjectAt(change.at);
        const text = subject.before ? toStoredDocument(subject.before, subject.name).content : "";
        add("append", subject, contentOf(text + change.content));
        break;
      }
      case "remove":
        add("remove", subjectAt(change.at), undefined);
        break;
      case "move": {
        const source = subjectAt(change.from);
        const target = subjectAt(change.to);
        // The new name first: at no moment is the document nowhere.
        add("move", target, source.before, { other: source, movedFrom: source.before });
        add("move", source, undefined, { other: target });
      }
    }
  }
  return { planned, outcomes };
}

function contentOf(text: string): { bytes: Buffer; rev: Rev } {
  const bytes = Buffer.from(text);
  return { bytes, rev: revisionOf(bytes) };
}
