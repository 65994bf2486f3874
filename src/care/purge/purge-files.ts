import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, sep } from "node:path";
import { isAuxiliaryName } from "../../backends/files/auxiliary.ts";
import { isOwnDraft } from "../../backends/files/plain-draft.ts";
import { hasCode } from "../../backends/files/storage-error.ts";
import { auxiliaryFolder } from "../../kernel/document-path.ts";
import type { PurgeForms } from "../../kernel/purge-forms.ts";

/** A folder whose files a purge answers for, as they lie on disk. */
export interface PurgedFolder {
  /** How it is called where people read of it. */
  readonly shown: string;
  readonly folder: string;
  /** All of its files; what Recollect keeps beside documents; or drafts alone, where the other files are the user's. */
  readonly files: "all" | "kept" | "drafts";
  /** Folders in it that are not entered, by their names. */
  readonly without?: ReadonlySet<string>;
}

/** A file that holds the value, or that could not be read; its name is shown without the value. */
interface Held {
  readonly path: string;
  readonly shown: string;
  readonly isUnreadable: boolean;
}

const chunkBytes = 4 * 1024 * 1024;
/** Below the folder for temporary files: a text in an editor, and what `verify` and a commit build to compare. */
const temporaryFolder = /^recollect-(entry|verify|index)-/;
/** No draft of ours is ever made in there, and they are large. */
export const foreignFolders: ReadonlySet<string> = new Set([".git", "node_modules"]);
const none: ReadonlySet<string> = new Set();
/** What git writes down when it crashes, and a list of documents that history makes again. */
const disposable = /^(fast_import_crash_|recollect-state\.json)/;

/** Files that hold the value, by their names as people read them. Changes nothing. */
export function findInFiles(folders: readonly PurgedFolder[], forms: PurgeForms): string[] {
  return heldFiles(folders, forms).flatMap(({ shown, isUnreadable }) => (isUnreadable ? [] : [shown]));
}

/** Sentences about files that still hold the value, and about what cannot be read. Documents are told of already. */
export function filesLeft(
  folders: readonly PurgedFolder[],
  forms: PurgeForms,
  documents: ReadonlySet<string>,
): string[] {
  const held = heldFiles(folders, forms).filter(({ shown }) => !documents.has(shown));
  return held.map(({ path, shown, isUnreadable }) =>
    isUnreadable ? `“${shown}” cannot be read, and may hold it.` : `“${shown}” still holds it. ${remedyOf(path)}`,
  );
}

/** A purge cleans what a store makes; a file of any other origin stays as it is. */
function remedyOf(path: string): string {
  const segments = path.split(sep);
  const inside = segments[segments.lastIndexOf(auxiliaryFolder) + 1] ?? "";
  const isOfStore = segments.includes(auxiliaryFolder) && isAuxiliaryName(inside);
  return isOfStore || isTemporary(path) ? "Purge it again." : "Delete it.";
}

function isTemporary(path: string): boolean {
  return isOwnDraft(basename(path)) || disposable.test(basename(path));
}

/**
 * Removes temporary files that hold the value and that no recovery knows of: drafts beside their places, and what is
 * below the folder for temporary files. A writer whose draft is gone begins again, and is refused.
 */
export function removeTemporaryFiles(folders: readonly PurgedFolder[], forms: PurgeForms): string[] {
  const drafts = heldFiles(folders, forms).filter(({ path, isUnreadable }) => !isUnreadable && isTemporary(path));
  for (const { path } of drafts) rmSync(path, { force: true });
  const temporary = heldFiles(temporaryFolders(), forms).filter(({ isUnreadable }) => !isUnreadable);
  for (const { path } of temporary) {
    // The text of a person who could not store it stays theirs.
    const clean = basename(path) === "entry.md" ? forms.clean(readFileSync(path)) : undefined;
    if (clean) writeFileSync(path, clean);
    else rmSync(path, { force: true });
  }
  return [...drafts, ...temporary].map(({ shown }) => shown);
}

/** Removes files that hold the value and that nobody misses. */
export function removeHeldFiles(folders: readonly PurgedFolder[], forms: PurgeForms): string[] {
  const held = heldFiles(folders, forms).filter(({ isUnreadable }) => !isUnreadable);
  for (const { path } of held) rmSync(path, { force: true });
  return held.map(({ shown }) => shown);
}

function temporaryFolders(): PurgedFolder[] {
  const own = process.getuid?.();
  return readdirSync(tmpdir())
    .filter((name) => temporaryFolder.test(name))
    .map((name) => join(tmpdir(), name))
    .filter((folder) => own === undefined || lstatSync(folder, { throwIfNoEntry: false })?.uid === own)
    .map((folder) => ({ shown: folder, folder, files: "all" }));
}

function heldFiles(folders: readonly PurgedFolder[], forms: PurgeForms): Held[] {
  const others = new Set(folders.map(({ folder }) => folder));
  return folders.flatMap((one) => [...heldBelow(one, others, forms)]);
}

function* heldBelow(
  { shown, folder, files, without = files === "all" ? none : foreignFolders }: PurgedFolder,
  others: ReadonlySet<string>,
  forms: PurgeForms,
): Generator<Held> {
  const entries = entriesOf(folder);
  if (entries === "unreadable") {
    yield { path: folder, shown: forms.cleanPath(shown), isUnreadable: true };
    return;
  }
  for (const { name, isFolder } of entries) {
    const child = { shown: `${shown}/${name}`, folder: join(folder, name) };
    if (isFolder) {
      if (without.has(name) || others.has(child.folder)) continue;
      const isKept = files === "kept" && name === auxiliaryFolder;
      yield* heldBelow({ ...child, files: isKept ? "all" : files, without }, others, forms);
    } else if (files === "all" || isOwnDraft(name)) {
      yield* heldFile(child.folder, child.shown, forms);
    }
  }
}

function* heldFile(path: string, shown: string, forms: PurgeForms): Generator<Held> {
  const found = forms.isIn(Buffer.from(basename(path))) || holds(path, forms);
  if (found) yield { path, shown: forms.cleanPath(shown), isUnreadable: found === "unreadable" };
}

/** Files and folders alone: a link leads elsewhere, and a pipe would be waited for. */
function entriesOf(folder: string): { readonly name: string; readonly isFolder: boolean }[] | "unreadable" {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return [];
    if (hasCode(error, "EACCES", "EPERM")) return "unreadable";
    throw error;
  }
}

/** In pieces that overlap by the longest form: a pack may be larger than memory. */
function holds(path: string, forms: PurgeForms): boolean | "unreadable" {
  const overlap = (forms.all[0]?.length ?? 1) - 1;
  const buffer = Buffer.allocUnsafe(chunkBytes + overlap);
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, "r");
    for (let kept = 0; ; ) {
      const read = readSync(descriptor, buffer, kept, chunkBytes, null);
      if (read === 0) return false;
      const piece = buffer.subarray(0, kept + read);
      if (forms.isIn(piece)) return true;
      kept = Math.min(overlap, piece.length);
      piece.copyWithin(0, piece.length - kept);
    }
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    if (hasCode(error, "EACCES", "EPERM", "EIO", "EISDIR")) return "unreadable";
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
