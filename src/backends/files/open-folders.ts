import { RecollectError } from "../../kernel/errors.ts";
import type { Address, Current, StoredDocument } from "../../kernel/store.ts";
import type { FolderPart } from "./apply.ts";
import { exists } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { type DocumentFile, readDocumentFile, toStoredDocument } from "./document-file.ts";
import type { FolderLocks, HeldFolder } from "./folder-locks.ts";
import { maxLockedPathBytes } from "./lock-file.ts";
import { type Place, type RootFolders, splitAddress } from "./root-folders.ts";
import { staleError } from "./storage-error.ts";

/** A folder that was opened for an operation, and where it lies. */
export interface OpenFolder {
  readonly folder: Directory;
  readonly realPath: string;
  /** An outer folder with a short path, through which its lock is opened where its own path is too long for SQLite. */
  readonly shallow: Directory | undefined;
}

/** The folders of one operation: each opened once, all closed at its end. */
export interface OpenFolders {
  /** Undefined where it does not exist. */
  open(place: Place): OpenFolder | undefined;
  make(place: Place, blocking: boolean): Promise<OpenFolder>;
  all(): readonly OpenFolder[];
  close(): void;
}

export function createOpenFolders(roots: RootFolders): OpenFolders {
  const open = new Map<string, OpenFolder>();
  const toClose: Directory[] = [];
  const keyOf = (place: Place) => [place.root, ...place.segments].join("\0");

  function remember(place: Place, folder: Directory): OpenFolder {
    toClose.push(folder);
    const found = { folder, realPath: roots.realPath(place), shallow: openShallow(place) };
    open.set(keyOf(place), found);
    return found;
  }

  function openShallow(place: Place): Directory | undefined {
    const outer = shallowPlaceOf(place, roots);
    if (outer === place) return undefined;
    const folder = roots.open(outer);
    if (!folder) throw staleError("a folder vanished during the operation");
    toClose.push(folder);
    return folder;
  }

  function openPlace(place: Place): OpenFolder | undefined {
    const known = open.get(keyOf(place));
    if (known) return known;
    const folder = roots.open(place);
    return folder && remember(place, folder);
  }

  return {
    open: openPlace,
    make: async (place, blocking) => openPlace(place) ?? remember(place, await roots.make(place, blocking)),
    all: () => [...open.values()],
    close: () => {
      for (const folder of toClose.splice(0)) folder.close();
      open.clear();
    },
  };
}

/** The innermost folder on the way whose path leaves room for the name of a lock. */
function shallowPlaceOf(place: Place, roots: RootFolders): Place {
  if (Buffer.byteLength(roots.realPath(place)) <= maxLockedPathBytes) return place;
  if (place.segments.length > 0) {
    return shallowPlaceOf({ root: place.root, segments: place.segments.slice(0, -1) }, roots);
  }
  throw new RecollectError(
    "INVALID_ARGUMENT",
    `The folder of “${place.root}” lies too deep on this disk: its path is over ${maxLockedPathBytes} bytes. Move it up.`,
    { data: { root: place.root, limit: maxLockedPathBytes } },
  );
}

/** Folders whose locks are held. */
export interface HeldFolders {
  part(folder: OpenFolder): FolderPart;
  /** Each folder that is there by now must be one of the held ones, or somebody could write beside us. */
  assertAll(folders: readonly OpenFolder[]): void;
  release(): void;
}

/**
 * Takes the locks of all folders of an operation in one global order, by device and inode, so that
 * no two operations can wait for each other, whatever roots they were configured with.
 */
export async function holdFolders(folders: readonly OpenFolder[], locks: FolderLocks): Promise<HeldFolders> {
  return collect(folders, (folder) => locks.acquire(folder)) as Promise<HeldFolders>;
}

/** The same without waiting: undefined where any of them is taken. */
export async function tryHoldFolders(
  folders: readonly OpenFolder[],
  locks: FolderLocks,
): Promise<HeldFolders | undefined> {
  return collect(folders, async (folder) => locks.tryAcquire(folder));
}

async function collect(
  folders: readonly OpenFolder[],
  take: (folder: OpenFolder) => Promise<HeldFolder | undefined>,
): Promise<HeldFolders | undefined> {
  const taken = new Map<string, HeldFolder>();
  const parts = new Map<string, FolderPart>();
  const release = () => {
    for (const held of [...taken.values()].reverse()) held.release();
    taken.clear();
  };
  try {
    for (const open of inOrder(folders)) {
      const held = await take(open);
      if (!held) {
        release();
        return undefined;
      }
      const { folder, realPath } = open;
      const { auxiliary, assertInPlace } = held;
      taken.set(identity(folder), held);
      parts.set(identity(folder), { folder, realPath, auxiliary, assertInPlace });
    }
    const part = ({ folder }: OpenFolder) => parts.get(identity(folder)) ?? notHeld();
    return { release, part, assertAll: (all) => all.forEach(part) };
  } catch (error) {
    release();
    throw error;
  }
}

function inOrder(folders: readonly OpenFolder[]): OpenFolder[] {
  const unique = new Map(folders.map((open) => [identity(open.folder), open]));
  return [...unique.values()].sort(
    (a, b) => compare(a.folder.device, b.folder.device) || compare(a.folder.inode, b.folder.inode),
  );
}

function identity(folder: Directory): string {
  return `${folder.device}:${folder.inode}`;
}

function compare(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** It was made by somebody else since the locks were taken. */
function notHeld(): never {
  throw staleError("a folder appeared during the operation");
}

/** The documents that an operation named when it began, as they were read. */
type NamedDocuments = ReadonlyMap<string, DocumentFile | undefined>;

export function readNamed(
  addresses: readonly Address[],
  folders: OpenFolders,
  { roots, maxReadBytes }: { readonly roots: RootFolders; readonly maxReadBytes: number },
): NamedDocuments {
  return new Map(
    addresses.map((at) => {
      const { place, name } = splitAddress(at);
      const open = folders.open(place);
      if (open) roots.assertSpelling(place, open.folder, name);
      const isThere = open && exists(open.folder, name);
      return [keyOf(at), isThere ? readDocumentFile(open.folder, name, maxReadBytes) : undefined];
    }),
  );
}

export function fileAt(files: NamedDocuments, at: Address): DocumentFile | undefined {
  if (files.has(keyOf(at))) return files.get(keyOf(at));
  throw new RecollectError("INVALID_ARGUMENT", `“${at.path}” was not named when the operation began.`);
}

/** Each document once: a plan may ask for it several times, and decoding a large one costs. */
export function currentOf(files: NamedDocuments): Current {
  const asked = new Map<DocumentFile, StoredDocument>();
  return (at) => {
    const file = fileAt(files, at);
    if (!file) return undefined;
    const stored = asked.get(file) ?? toStoredDocument(file, at.path);
    asked.set(file, stored);
    return stored;
  };
}

export function keyOf(at: Address): string {
  return `${at.root}\0${at.path}`;
}
