import { randomUUID } from "node:crypto";
import { closeSync, lstatSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { digestOf } from "../../core/folder-digest.ts";
import type { AskChanged, Surveyed } from "../../core/source.ts";
import type { Directory } from "./directory.ts";
import { encodeEntry, encodeHeader, headerBytes } from "./git-index.ts";
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
  const { root, ask, isOver } = options;
  const draft = `${file}.${randomUUID()}`;
  try {
    const count = await writeDraft(draft, folder, options);
    // Everything was changed just now: there will be more to keep another time.
    if (isOver() || count === 0) return;
    const changed = await ask(draft, root);
    if (changed === undefined || changed.length > (1 - leastKnown) * count) writeNothing(draft, root);
    if (!isOver()) renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Answers how many documents are in it; half of it where nobody wants it any more. */
async function writeDraft(draft: string, folder: Directory, options: KeepOptions): Promise<number> {
  const { root } = options;
  const descriptor = openSync(draft, "wx", 0o600);
  try {
    let [count, checksum] = [0, 0];
    const folders: KeptFolder[] = [];
    // How many there are is known in the end.
    writeSync(descriptor, encodeHeader(0));
    for (const entries of entriesBelow(folder, "", { ...options, device: folder.device, folders })) {
      if (options.isOver()) return count;
      if (entries) {
        writeFileSync(descriptor, entries.bytes);
        checksum = crc32(entries.bytes, checksum);
        count += entries.count;
      }
      await setImmediate();
    }
    writeFileSync(descriptor, encodeFolders({ root, folders, count, checksum }));
    writeSync(descriptor, encodeHeader(count), 0, headerBytes, 0);
    return count;
  } finally {
    closeSync(descriptor);
  }
}

function writeNothing(draft: string, root: string): void {
  const nothing = encodeFolders({ root, folders: [], count: 0, checksum: 0 });
  writeFileSync(draft, Buffer.concat([encodeHeader(0), nothing]));
}

interface Entries {
  readonly bytes: Buffer;
  readonly count: number;
}

/** The entries of a folder and of those below it, in git's order; nothing where others may do something meanwhile. */
function* entriesBelow(folder: Directory, path: string, keeping: Keeping): Generator<Entries | undefined> {
  const begun = keeping.now();
  const before = folder.stat();
  const { documents, folders, isPlain } = yield* lookAt(folder, path, keeping);
  const walked = folders.filter((name) => isWalked(below(path, name), name, keeping.surveying));
  const parts = isPlain ? yield* encodeParts(folder, path, inGitsOrder(path, documents, walked), begun) : undefined;
  const isKept =
    parts !== undefined &&
    folder.device === keeping.device &&
    isAtRest(before, begun) &&
    stampOfFolder(before) === stampOfFolder(folder.stat());
  if (isKept) {
    keeping.folders.push({ path, stamp: stampOfFolder(before), digest: digestOf(documents), folders: walked });
  }
  for (const part of isKept ? parts : walked) {
    if (typeof part === "string") yield* entriesOfChild(folder, path, part, keeping);
    else yield part;
  }
}

function* entriesOfChild(
  folder: Directory,
  path: string,
  name: string,
  keeping: Keeping,
): ReturnType<typeof entriesBelow> {
  const child = openChild(folder, name);
  if (!child) return;
  try {
    yield* entriesBelow(child, below(path, name), keeping);
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
  } finally {
    child.close();
  }
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
    yield undefined;
  }
}

interface Named {
  readonly name: string;
  /** Undefined for a folder. */
  readonly document?: Surveyed;
}

/** By the bytes of their paths, in which a folder's name is followed by a slash. */
function inGitsOrder(path: string, documents: readonly Surveyed[], folders: readonly string[]): readonly Named[] {
  const from = path === "" ? 0 : path.length + 1;
  const named: Named[] = documents.map((document) => ({ name: document.path.slice(from), document }));
  const keyed = [...named, ...folders.map((name): Named => ({ name }))].map((one) => ({
    one,
    key: Buffer.from(one.document ? one.name : `${one.name}/`).toString("latin1"),
  }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ one }) => one);
}

/**
 * Entries, and the names of folders between them. Undefined where a document is not what was just seen, or could change
 * once more without another time.
 */
function* encodeParts(folder: Directory, path: string, all: readonly Named[], begun: number) {
  const parts: (Entries | string)[] = [];
  const pathOf = quickPaths(folder);
  let entries: Buffer[] = [];
  const endPart = () => {
    if (entries.length > 0) parts.push({ bytes: Buffer.concat(entries), count: entries.length });
    entries = [];
  };
  for (const { name, document } of all) {
    if (!document) {
      endPart();
      parts.push(name);
      continue;
    }
    const stat = lstatSync(pathOf(name), { bigint: true, throwIfNoEntry: false });
    if (!stat?.isFile() || exactStampOf(stat) !== document.stamp || !isAtRest(stat, begun)) return undefined;
    entries.push(encodeEntry(below(path, name), stat));
    if (entries.length < atOnce) continue;
    endPart();
    yield undefined;
  }
  endPart();
  return parts;
}

function below(path: string, name: string): string {
  return path === "" ? name : `${path}/${name}`;
}
