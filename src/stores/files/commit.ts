import { randomUUID } from "node:crypto";
import { assertApplicable } from "../../core/applicable-changes.ts";
import { RecollectError } from "../../core/errors.ts";
import type {
  Address,
  Change,
  Committed,
  Current,
  Planning,
  RefusalOf,
  Stamp,
  StoredDocument,
} from "../../core/store.ts";
import { applyMany, applyOne, CommitInDoubt } from "./apply.ts";
import { exists } from "./auxiliary.ts";
import { forgetFormer } from "./change-feed.ts";
import type { Directory } from "./directory.ts";
import { type DocumentFile, readDocumentFile, toStoredDocument } from "./document-file.ts";
import type { FolderLocks } from "./folder-locks.ts";
import { type HeldFolders, holdFolders } from "./held-folders.ts";
import { recordsFrom } from "./journal.ts";
import { createOpenFolders, type OpenFolders } from "./open-folders.ts";
import { planEffects } from "./plan-effects.ts";
import { hasIntent, recoverFolder } from "./recovery.ts";
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

type Plan<Planned extends Planning> = (current: Current) => Planned;

/** How often to begin again where an editor, a deletion or a cut-off commit changed the folders under us. */
const maxAttempts = 10;

export async function commitChanges<Planned extends Planning>(
  addresses: readonly Address[],
  plan: Plan<Planned>,
  stamp: Stamp,
  context: CommitContext,
): Promise<Committed | RefusalOf<Planned>> {
  for (const at of addresses) assertWritable(at, context.roots);
  let doubt: CommitInDoubt | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const folders = createOpenFolders(context.roots);
    try {
      const result = await tryCommit(addresses, plan, stamp, folders, { ...context, doubt });
      if (result !== cutOff) return result;
      if (attempt === maxAttempts) throw staleError("a cut-off commit cannot be brought to its end");
      await recoverAll(addresses, context);
    } catch (error) {
      if (attempt === maxAttempts || !hasCode(error, "ESTALE", "ENOENT")) throw error;
      if (error instanceof CommitInDoubt) doubt = error;
    } finally {
      folders.close();
    }
  }
}

/** The second wall behind the policies above: a store never changes what it was told only to read. */
function assertWritable(at: Address, roots: RootFolders): void {
  if (!roots.isReadOnly(splitAddress(roots.ownerOf(at)).place)) return;
  throw new RecollectError("READ_ONLY", `“${at.root}” is read-only.`, { data: { root: at.root } });
}

const cutOff = Symbol("a cut-off commit lies in one of the folders");

async function tryCommit<Planned extends Planning>(
  addresses: readonly Address[],
  plan: Plan<Planned>,
  stamp: Stamp,
  folders: OpenFolders,
  context: CommitContext & { readonly doubt: CommitInDoubt | undefined },
): Promise<Committed | RefusalOf<Planned> | typeof cutOff> {
  const missing = addresses.filter((at) => !folders.open(splitAddress(at).place));
  if (missing.length > 0) {
    if (folders.all().some(({ folder }) => hasIntent(folder))) return cutOff;
    // Asked before anything is made, so that a refusal leaves no empty folder behind.
    const files = readAll(addresses, folders, context);
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
    const { doubt } = context;
    if (doubt && isEnded(doubt, folders, held, context)) return { kind: "committed", outcomes: doubt.commit.outcomes };
    return await commitHeld(addresses, plan, stamp, folders, held, context);
  } finally {
    held.release();
  }
}

async function commitHeld<Planned extends Planning>(
  addresses: readonly Address[],
  plan: Plan<Planned>,
  stamp: Stamp,
  folders: OpenFolders,
  held: HeldFolders,
  context: CommitContext,
): Promise<Committed | RefusalOf<Planned>> {
  const files = readAll(addresses, folders, context);
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
  if (batch) await applyMany(planned, { batch, outcomes }, context.blocking);
  else if (only) await applyOne(only, context.blocking);
  if (!context.isFollowed) forgetFormerIn(new Set(planned.map(({ part }) => part.auxiliary)));
  return { kind: "committed", outcomes };
}

function forgetFormerIn(auxiliaries: Iterable<Directory>): void {
  for (const auxiliary of auxiliaries) {
    try {
      forgetFormer(auxiliary);
    } catch {
      // The commit is done and durable. What cannot be taken away now goes with a later one.
    }
  }
}

/** Whether a commit of ours was brought to its end after its lock was taken away. Asked with the new one held. */
function isEnded(doubt: CommitInDoubt, folders: OpenFolders, held: HeldFolders, context: CommitContext): boolean {
  const { commit, isBegun, cause } = doubt;
  const changed = commit.outcomes.filter(({ rev, was }) => rev !== was);
  const addresses = changed.map(({ at }) => at);
  const files = readAll(addresses, folders, context);
  const ended = changed.filter(({ at, rev }) => {
    const { place, name } = splitAddress(at);
    const open = folders.open(place);
    const lines = open ? recordsFrom(held.part(open).auxiliary, commit.batch) : [];
    const isSuperseded = lines.some((line) => line.name === name && line.was === rev);
    return isSuperseded || (lines.length > 0 && fileAt(files, at)?.rev === rev);
  });
  if (ended.length === changed.length) return true;
  if (ended.length === 0 && !isBegun) return false;
  throw new RecollectError(
    "RECOVERY_NEEDED",
    "“.recollect” was deleted during an operation on several documents, so some may have been changed and others not. Look at them.",
    { data: { paths: addresses.map(({ path }) => path) }, cause },
  );
}

type Files = ReadonlyMap<string, DocumentFile | undefined>;

function readAll(addresses: readonly Address[], folders: OpenFolders, context: CommitContext): Files {
  return new Map(
    addresses.map((at) => {
      const { place, name } = splitAddress(at);
      const open = folders.open(place);
      if (open) context.roots.assertSpelling(place, open.folder, name);
      const isThere = open && exists(open.folder, name);
      return [keyOf(at), isThere ? readDocumentFile(open.folder, name, context.maxReadBytes) : undefined];
    }),
  );
}

/** Each document once: a plan may ask for it several times, and decoding a large one costs. */
function currentOf(files: Files): Current {
  const asked = new Map<DocumentFile, StoredDocument>();
  return (at) => {
    const file = fileAt(files, at);
    if (!file) return undefined;
    const stored = asked.get(file) ?? toStoredDocument(file, at.path);
    asked.set(file, stored);
    return stored;
  };
}

function fileAt(files: Files, at: Address): DocumentFile | undefined {
  if (files.has(keyOf(at))) return files.get(keyOf(at));
  throw new RecollectError("INVALID_ARGUMENT", `“${at.path}” was not named when the operation began.`);
}

async function recoverAll(addresses: readonly Address[], { roots, locks }: CommitContext): Promise<void> {
  for (const at of addresses) {
    await recoverFolder(splitAddress(at).place, { roots, hold: (open) => holdFolders(open, locks) });
  }
}

function isChanges(planned: unknown): planned is readonly Change[] {
  return Array.isArray(planned);
}

function keyOf(at: Address): string {
  return `${at.root}\0${at.path}`;
}
