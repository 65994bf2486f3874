import { randomUUID } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { setImmediate, setTimeout } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { digestOf } from "../../core/folder-digest.ts";
import type { Surveyed } from "../../core/source.ts";
import type { Directory } from "./directory.ts";
import { encodeEntry } from "./git-index.ts";
import { encodeBeginning, encodeEnding, encodeNothing, type KeptFolder } from "./look-file.ts";
import { isOutOfReach, isWalked, openChild, quickPaths, type Surveying, surveyFolder } from "./survey-folders.ts";
import { exactStampOf, isAtRest, stampOfFolder } from "./survey-stamp.ts";

export interface WriteLookOptions {
  /** Where the root lies. */
  readonly root: string;
  readonly surveying: Surveying;
  /** The digests of folders whose names may be written down. */
  readonly known: ReadonlyMap<string, number>;
  /** How many documents must be in it. */
  readonly least: number;
  /** Which documents are not as a look says; undefined where nobody can say it. */
  readonly changedSince: (look: string) => Promise<readonly string[] | undefined>;
  readonly isUrgent: boolean;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** So many documents are looked at in half a millisecond, and then others have their turn. */
const atOnce = 50;
const restMs = 5;
/** Of documents that were just written down, git may find so many changed. */
const mostChanged = 0.1;
/** What was changed within this time may be at rest soon. */
const lateMs = 60_000;

/**
 * Looks at everything and writes it into a file, which takes the place of another one as a whole. Where that is of no
 * use and will be of none tomorrow, the file says nothing, so that nobody needs to try again soon.
 */
export async function writeLook(file: string, folder: Directory, options: WriteLookOptions): Promise<void> {
  const { root, changedSince, least, signal } = options;
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, encodeNothing(root), { mode: 0o600, flag: "wx" });
    // Where there is no git, nothing needs to be looked at.
    if ((await changedSince(draft)) === undefined) return;
    const { count, mayBeMore } = await writeDraft(draft, folder, options);
    signal.throwIfAborted();
    if (count < least && mayBeMore) return;
    const changed = count < least ? [] : await changedSince(draft);
    if (changed === undefined) return;
    if (count < least || changed.length > mostChanged * count) writeFileSync(draft, encodeNothing(root));
    signal.throwIfAborted();
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

interface Written {
  readonly count: number;
  /** Whether something was left out that was changed just now, or that the index may have some other time. */
  readonly mayBeMore: boolean;
}

async function writeDraft(draft: string, folder: Directory, options: WriteLookOptions): Promise<Written> {
  const descriptor = openSync(draft, "w");
  try {
    const writing = createWriting(descriptor, folder.device, options);
    await writeFolder(folder, "", writing);
    return writing.end();
  } finally {
    closeSync(descriptor);
  }
}

type Writing = ReturnType<typeof createWriting>;

function createWriting(descriptor: number, device: bigint, options: WriteLookOptions) {
  const { root, surveying, known, isUrgent, now, signal } = options;
  const folders: KeptFolder[] = [];
  /** Those with documents, and those above them. */
  const nameable = new Set([...known.keys()].flatMap((path) => [path, ...foldersAbove(path)]));
  let [count, checksum, mayBeMore] = [0, 0, false];
  // How many documents there are is known in the end.
  writeFileSync(descriptor, encodeBeginning(0));
  return {
    surveying,
    device,
    now,
    isKnown: (path: string, digest: number) => (known.get(path) ?? noDocuments) === digest,
    mayBeNamed: (path: string) => nameable.has(path),
    /** What the index may have some other time is left out. */
    leaveUnknown: () => {
      mayBeMore = true;
    },
    /** So is what was just changed. */
    leaveRestless: ({ ctimeMs }: BigIntStats): undefined => {
      if (Math.abs(now() - Number(ctimeMs)) < lateMs) mayBeMore = true;
    },
    keep: (folder: KeptFolder) => {
      folders.push(folder);
      count += folder.count;
    },
    write: (entries: Buffer = nothing) => {
      writeFileSync(descriptor, entries);
      checksum = crc32(entries, checksum);
    },
    /** Lets others do something meanwhile. */
    pause: async () => {
      await (isUrgent ? setImmediate() : setTimeout(restMs, undefined, { ref: false, signal }));
      signal.throwIfAborted();
    },
    end: (): Written => {
      const ending = encodeEnding({ root, folders, count, checksum });
      if (!ending) return { count: 0, mayBeMore };
      writeFileSync(descriptor, ending);
      writeSync(descriptor, encodeBeginning(count), 0, undefined, 0);
      return { count, mayBeMore };
    },
  };
}

const noDocuments = digestOf([]);
const nothing = Buffer.alloc(0);

function foldersAbove(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, length) => parts.slice(0, length).join("/"));
}

/** The entries of a folder and of those below it, in git's order: by the bytes of their paths. */
async function writeFolder(folder: Directory, path: string, writing: Writing): Promise<void> {
  const begun = writing.now();
  const before = folder.stat();
  const { documents, folders } = await lookInto(folder, path, writing);
  const walked = folders.filter((name) => isWalked(below(path, name), name, writing.surveying)).sort(byBytesOf("/"));
  const seen = documents && { folder, path, documents, folders: walked, before, begun };
  const kept = seen && (await toKept(seen, writing));
  if (kept) writing.keep(kept.row);
  for (const [at, name] of walked.entries()) {
    writing.write(kept?.entries[at]);
    await writeChild(folder, path, name, writing);
  }
  writing.write(kept?.entries.at(-1));
}

/** A folder as it was just seen. */
interface SeenFolder {
  readonly folder: Directory;
  readonly path: string;
  readonly documents: readonly Surveyed[];
  /** The names of those in it, in git's order. */
  readonly folders: readonly string[];
  /** What the folder itself was before that, and when it was. */
  readonly before: BigIntStats;
  readonly begun: number;
}

/** Undefined where the folder is not to be kept. */
async function toKept(seen: SeenFolder, writing: Writing) {
  const { folder, path, documents, folders, before, begun } = seen;
  const digest = digestOf(documents);
  const isKnown = folders.every((name) => writing.mayBeNamed(below(path, name))) && writing.isKnown(path, digest);
  if (!isKnown) writing.leaveUnknown();
  if (!isKnown || folder.device !== writing.device) return undefined;
  if (!isAtRest(before, begun)) return writing.leaveRestless(before);
  const entries = await encodeDocuments(seen, writing);
  const stamp = stampOfFolder(before);
  if (!entries || stamp !== stampOfFolder(folder.stat())) return undefined;
  return { entries, row: { path, stamp, digest, count: documents.length, folders } };
}

async function writeChild(folder: Directory, path: string, name: string, writing: Writing): Promise<void> {
  const child = openChild(folder, name);
  if (!child) return;
  try {
    await writeFolder(child, below(path, name), writing);
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
  } finally {
    child.close();
  }
}

/**
 * No documents for a folder with a file that can change without a word to this folder, or that becomes a document when
 * it shrinks.
 */
async function lookInto(folder: Directory, path: string, { surveying, pause }: Writing) {
  let isPlain = true;
  const notPlain = () => {
    isPlain = false;
  };
  const documents: Surveyed[] = [];
  const looking = surveyFolder(folder, path, { ...surveying, atOnce, onShared: notPlain, onTooLarge: notPlain });
  for (;;) {
    const found = looking.next();
    if (found.done) return { documents: isPlain ? documents : undefined, folders: [...found.value] };
    documents.push(...found.value.documents);
    await pause();
  }
}

/**
 * The entries of the documents before each of the folders, and after the last one. Undefined where a document is not what
 * was just seen, or could change once more without another time.
 */
async function encodeDocuments(
  { folder, path, documents, folders, begun }: SeenFolder,
  writing: Writing,
): Promise<readonly Buffer[] | undefined> {
  const pathOf = quickPaths(folder);
  const stamps = new Map(documents.map((document) => [nameIn(path, document.path), document.stamp]));
  const names = [...stamps.keys()].sort(byBytesOf(""));
  const isBefore = byBytesOf("");
  const runs: Buffer[] = [];
  let at = 0;
  for (const end of [...folders.map((name) => `${name}/`), undefined]) {
    const pieces: Buffer[] = [];
    let entries: Buffer[] = [];
    for (; at < names.length; at++) {
      const name = names[at] as string;
      if (end !== undefined && isBefore(name, end) > 0) break;
      const stat = lstatSync(pathOf(name), { bigint: true, throwIfNoEntry: false });
      if (!stat?.isFile() || exactStampOf(stat) !== stamps.get(name)) return undefined;
      if (!isAtRest(stat, begun)) return writing.leaveRestless(stat);
      entries.push(encodeEntry(below(path, name), stat));
      if (entries.length < atOnce) continue;
      pieces.push(Buffer.concat(entries));
      entries = [];
      await writing.pause();
    }
    runs.push(Buffer.concat([...pieces, ...entries]));
  }
  return runs;
}

/** The order of names by their bytes, each with this at its end. */
function byBytesOf(ending: "" | "/"): (left: string, right: string) => number {
  return (left, right) => {
    const [one, other] = [left + ending, right + ending];
    // Strings are compared by units of 16 bits, which is the same order unless one is half of a character.
    return /[\ud800-\uffff]/.test(one + other)
      ? Buffer.compare(Buffer.from(one), Buffer.from(other))
      : one < other
        ? -1
        : 1;
  };
}

function nameIn(path: string, document: string): string {
  return path === "" ? document : document.slice(path.length + 1);
}

function below(path: string, name: string): string {
  return path === "" ? name : `${path}/${name}`;
}
