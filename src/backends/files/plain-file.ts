import { lstatSync, renameSync, rmSync } from "node:fs";
import { isChanges } from "../../kernel/conflict.ts";
import { RecollectError } from "../../kernel/errors.ts";
import { revisionOf } from "../../kernel/revision.ts";
import type { Address, Change, Committed, Planning, RefusalOf, Resolved, Stamp } from "../../kernel/store.ts";
import { hasAuxiliary } from "./auxiliary.ts";
import { type CommitContext, commitChanges, type Plan } from "./commit.ts";
import type { Directory } from "./directory.ts";
import { type DocumentFile, readDocumentFile } from "./document-file.ts";
import { assertNotSwapped, assertStaged, whatIsIn } from "./durable-file.ts";
import { currentOf, keyOf } from "./open-folders.ts";
import { assertNoDraftName, type Draft, removeStaleDrafts, writeDraft } from "./plain-draft.ts";
import { type Place, splitAddress } from "./root-folders.ts";
import { hasCode, notTakenBack, staleError } from "./storage-error.ts";

/** How often to begin again where somebody saved the file, or took its folder away, under us. */
const maxAttempts = 10;

/**
 * Writes one file of a plain root: whole and durable like a document, but with no lock, no journal and no
 * former revision kept, since it is not ours (BANK-2).
 */
export async function commitPlainFile<Planned extends Planning>(
  addresses: readonly Resolved[],
  plan: Plan<Planned>,
  stamp: Stamp,
  context: CommitContext,
): Promise<Committed | RefusalOf<Planned>> {
  const [at, ...others] = addresses;
  if (!at || others.length > 0) throw onlyOneWrite("Name one of them.");
  const { place, name } = splitAddress(at);
  assertNoDraftName([...place.segments, name]);
  if (context.roots.isReadOnly(place)) {
    throw new RecollectError("READ_ONLY", `“${at.root}” is read-only.`, { data: { root: at.root } });
  }
  const onlyWrites: Plan<Planned> = (current) => {
    const planned = plan(current);
    if (isChanges(planned)) contentIn(planned, at);
    return planned;
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryWrite({ at, place, name }, onlyWrites, stamp, context);
    } catch (error) {
      if (attempt === maxAttempts || !hasCode(error, "ESTALE", "ENOENT")) throw error;
    }
  }
}

async function tryWrite<Planned extends Planning>(
  target: { readonly at: Resolved; readonly place: Place; readonly name: string },
  plan: Plan<Planned>,
  stamp: Stamp,
  context: CommitContext,
): Promise<Committed | RefusalOf<Planned>> {
  const { at, place, name } = target;
  const { roots, blocking } = context;
  let folder = roots.open(place);
  try {
    // Somebody else keeps documents here: then this is one, with its lock and its history (KER-5, KER-6b).
    if (folder && hasAuxiliary(folder)) return await commitChanges([at], plan, stamp, context);
    if (folder) roots.assertSpelling(place, folder, name);
    const before = folder && readDocumentFile(folder, name, context.maxReadBytes);
    // Asked before anything is made, so that a refusal leaves no empty folder behind.
    const planned: Planning = plan(currentOf(new Map([[keyOf(at), before]])));
    if (!isChanges(planned)) return planned as RefusalOf<Planned>;
    const bytes = Buffer.from(contentIn(planned, at));
    folder ??= await roots.make(place, blocking);
    removeStaleDrafts(folder, context.now());
    await replace(folder, name, bytes, before, blocking);
    return { kind: "committed", outcomes: [{ at, rev: revisionOf(bytes), was: before?.rev }] };
  } finally {
    folder?.close();
  }
}

/**
 * On any failure the draft goes and the old file stays, or RECOVERY_NEEDED is told. What a person saves right after us
 * stays too.
 */
async function replace(
  folder: Directory,
  name: string,
  bytes: Buffer,
  before: DocumentFile | undefined,
  blocking: boolean,
): Promise<void> {
  const draft = await writeDraft(folder, bytes, before, { blocking });
  const place = folder.at(name);
  try {
    folder.verify();
    assertUnchanged(place, before);
    assertStaged(draft.path, draft.inode);
    renameSync(draft.path, place);
  } catch (error) {
    rmSync(draft.path, { force: true });
    throw error;
  }
  try {
    assertNotSwapped(folder, name, draft.inode);
    await folder.sync(blocking);
  } catch (error) {
    try {
      // That it was put back must get to the disk too.
      if (await putBack(folder, name, draft, before, blocking)) await folder.sync(blocking);
    } catch (failure) {
      throw notTakenBack(error, failure);
    }
    throw error;
  }
}

/**
 * From the bytes that were read: a second name for the old file would look like a foreign hard link to readers. False
 * where a person has saved, or deleted, the file since: that stays as it is.
 */
async function putBack(
  folder: Directory,
  name: string,
  draft: Draft,
  before: DocumentFile | undefined,
  blocking: boolean,
): Promise<boolean> {
  const place = folder.at(name);
  const isTheirs = () => whatIsIn(folder, name, draft.inode) === "theirs";
  if (isTheirs()) return false;
  if (!before) {
    rmSync(place, { force: true });
    return true;
  }
  const former = await writeDraft(folder, before.bytes, before, { blocking, keepTime: true });
  // Asked again: a person may have saved, or deleted, the file while the draft was synced.
  const isLate = isTheirs();
  if (isLate) rmSync(former.path, { force: true });
  else renameSync(former.path, place);
  return !isLate;
}

/** No lock keeps others away: what was saved, made, or turned into a link or a folder since is looked at anew. */
function assertUnchanged(place: string, before: DocumentFile | undefined): void {
  const now = lstatSync(place, { bigint: true, throwIfNoEntry: false });
  const same = before
    ? now?.ino === before.stat.ino && now.size === before.stat.size && now.mtimeNs === before.stat.mtimeNs
    : now === undefined;
  if (!same) throw staleError("the file was changed during the operation");
}

function contentIn(changes: readonly Change[], at: Address): string {
  const [change, ...others] = changes;
  if (change?.kind !== "put" || others.length > 0) throw onlyOneWrite("Write the whole file instead.");
  if (change.at.root === at.root && change.at.path === at.path) return change.content;
  throw new RecollectError("INVALID_ARGUMENT", `“${change.at.path}” was not named when the operation began.`);
}

function onlyOneWrite(advice: string): RecollectError {
  return new RecollectError(
    "NOT_ALLOWED",
    `The project's own files are written whole, one at a time; nothing is appended, moved or deleted there. ${advice}`,
  );
}
