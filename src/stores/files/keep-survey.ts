import { closeSync, lstatSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { digestOf } from "../../core/folder-digest.ts";
import type { AskChanged, Surveyed } from "../../core/source.ts";
import type { Directory } from "./directory.ts";
import { encodeEntry, encodeHeader } from "./git-index.ts";
import { encodeFolders, type KeptFolder, stampOfFolder } from "./kept-folders.ts";
import { isOutOfReach, isWalked, openChild, quickPaths, type Surveying, surveyFolder } from "./survey-folders.ts";
import { exactStampOf, isAtRest } from "./survey-stamp.ts";

export interface KeepOptions {
  /** Where the root lies. */
  readonly root: string;
  readonly surveying: Surveying;
  readonly ask: AskChanged;
  readonly now: () => number;
  readonly isOver: () => boolean;
}

/** Of each document what git compares, and of each folder what tells that its names are the same. */
interface Keeping {
  readonly surveying: Surveying;
  readonly device: bigint;
  readonly now: () => number;
  readonly folders: KeptFolder[];
}

/** So many documents are looked at in a millisecond or two. */
const atOnce = 200;
/** A look is of use if git knows at least nine of ten documents that were just written down. */
const leastKnown = 0.9;

/**
 * Looks at everything and writes it into a file, which takes the place of another one as a whole. Where git cannot be
 * asked, or sees changes where there are none, it says nothing of any folder, and nobody needs to try again soon.
 */
export async function keepSurvey(file: string, folder: Directory, options: KeepOptions): Promise<void> {
  const { root, ask } = options;
  const draft = `${file}.${process.pid}`;
  // Of one that had this number, and was killed.
  rmSync(draft, { force: true });
  const descriptor = openSync(draft, "wx", 0o600);
  try {
    let entries = 0;
    const folders: KeptFolder[] = [];
    try {
      writeSync(descriptor, encodeHeader(0));
      const keeping = { ...options, device: folder.device, folders };
      for (const written of entriesBelow(folder, "", keeping)) {
        if (options.isOver()) return;
        if (written.length > 0) writeSync(descriptor, Buffer.concat(written));
        entries += written.length;
        await setImmediate();
      }
      writeSync(descriptor, encodeFolders(root, folders));
      writeSync(descriptor, encodeHeader(entries), 0, undefined, 0);
    } finally {
      closeSync(descriptor);
    }
    const changed = await ask(draft, root);
    if (changed === undefined || changed.length > (1 - leastKnown) * entries) writeNothing(draft, root);
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeNothing(draft: string, root: string): void {
  rmSync(draft);
  const descriptor = openSync(draft, "wx", 0o600);
  try {
    writeSync(descriptor, Buffer.concat([encodeHeader(0), encodeFolders(root, [])]));
  } finally {
    closeSync(descriptor);
  }
}

/** The entries of a folder and of those below it, in git's order; some of them at a time, also none. */
function* entriesBelow(folder: Directory, path: string, keeping: Keeping): Generator<readonly Buffer[]> {
  const begun = keeping.now();
  const before = folder.stat();
  const { documents, folders, isPlain } = yield* lookAt(folder, path, keeping);
  const entries = isPlain ? yield* entriesOf(folder, path, documents, begun) : undefined;
  const isKept =
    entries !== undefined &&
    folder.device === keeping.device &&
    isAtRest(before, begun) &&
    stampOfFolder(before) === stampOfFolder(folder.stat());
  const walked = folders.filter((name) => isWalked(below(path, name), name, keeping.surveying));
  if (isKept) {
    keeping.folders.push({ path, stamp: stampOfFolder(before), digest: digestOf(documents), folders: walked });
  }
  let ready: Buffer[] = [];
  for (const { name, entry } of inGitsOrder(isKept ? entries : [], walked)) {
    if (entry) {
      ready.push(entry);
      continue;
    }
    yield ready;
    ready = [];
    const child = openChild(folder, name);
    if (!child) continue;
    try {
      yield* entriesBelow(child, below(path, name), keeping);
    } catch (error) {
      if (!isOutOfReach(error)) throw error;
    } finally {
      child.close();
    }
  }
  yield ready;
}

/**
 * `isPlain` is false for a folder with a file that can change without a word to this folder, or that becomes a document
 * when it shrinks.
 */
function* lookAt(folder: Directory, path: string, { surveying }: Keeping) {
  let isPlain = true;
  const notPlain = () => {
    isPlain = false;
  };
  const documents: Surveyed[] = [];
  const looking = surveyFolder(folder, path, { ...surveying, atOnce, onShared: notPlain, onTooLarge: notPlain });
  for (;;) {
    const found = looking.next();
    if (found.done) return { documents, folders: found.value, isPlain };
    documents.push(...found.value.documents);
    yield [];
  }
}

interface NamedEntry {
  readonly name: string;
  readonly entry: Buffer;
}

/** Undefined where one of them is not what was just seen, or could change once more without another time. */
function* entriesOf(folder: Directory, path: string, documents: readonly Surveyed[], begun: number) {
  const entries: NamedEntry[] = [];
  const pathOf = quickPaths(folder);
  for (const document of documents) {
    const name = path === "" ? document.path : document.path.slice(path.length + 1);
    const stat = lstatSync(pathOf(name), { bigint: true, throwIfNoEntry: false });
    if (!stat?.isFile() || exactStampOf(stat) !== document.stamp || !isAtRest(stat, begun)) return undefined;
    entries.push({ name, entry: encodeEntry(document.path, stat) });
    if (entries.length % atOnce === 0) yield [];
  }
  return entries;
}

/** By the bytes of their paths, in which a folder's name is followed by a slash. */
function inGitsOrder(entries: readonly NamedEntry[], folders: readonly string[]) {
  const all: { readonly key: string; readonly name: string; readonly entry?: Buffer }[] = [
    ...entries.map(({ name, entry }) => ({ key: bytesOf(name), name, entry })),
    ...folders.map((name) => ({ key: bytesOf(`${name}/`), name })),
  ];
  return all.sort((a, b) => (a.key < b.key ? -1 : 1));
}

function bytesOf(name: string): string {
  return Buffer.from(name).toString("latin1");
}

function below(path: string, name: string): string {
  return path === "" ? name : `${path}/${name}`;
}
