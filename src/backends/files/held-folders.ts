import type { FolderPart } from "./apply.ts";
import type { Directory } from "./directory.ts";
import type { FolderLocks, HeldFolder } from "./folder-locks.ts";
import type { OpenFolder } from "./open-folders.ts";
import { staleError } from "./storage-error.ts";

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
