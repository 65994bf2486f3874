import type { FolderPart } from "./apply.ts";
import { ensureAuxiliary } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import type { FolderLocks, HeldFolder } from "./folder-locks.ts";
import type { OpenFolder } from "./open-folders.ts";

/** Folders whose locks are held. */
export interface HeldFolders {
  part(folder: OpenFolder): FolderPart;
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
  take: (lockFolder: Directory) => Promise<HeldFolder | undefined>,
): Promise<HeldFolders | undefined> {
  const taken = new Map<string, HeldFolder>();
  const opened: Directory[] = [];
  const release = () => {
    for (const auxiliary of opened.splice(0)) auxiliary.close();
    for (const held of [...taken.values()].reverse()) held.release();
    taken.clear();
  };
  try {
    for (const lockFolder of inOrder(folders.map((open) => open.lockFolder))) {
      const held = await take(lockFolder);
      if (!held) {
        release();
        return undefined;
      }
      taken.set(identity(lockFolder), held);
    }
    const parts = new Map(folders.map((open) => [identity(open.folder), toPart(open, taken, opened)]));
    return { release, part: ({ folder }) => parts.get(identity(folder)) ?? notHeld() };
  } catch (error) {
    release();
    throw error;
  }
}

function toPart(open: OpenFolder, taken: ReadonlyMap<string, HeldFolder>, opened: Directory[]): FolderPart {
  const { folder, realPath, lockFolder } = open;
  const held = taken.get(identity(lockFolder));
  if (held && identity(folder) === identity(lockFolder)) return { folder, realPath, auxiliary: held.auxiliary };
  // Too deep for a lock of its own: an outer folder's is held, everything else is in its own place.
  const auxiliary = ensureAuxiliary(folder);
  opened.push(auxiliary);
  return { folder, realPath, auxiliary };
}

function inOrder(folders: readonly Directory[]): Directory[] {
  const unique = new Map(folders.map((folder) => [identity(folder), folder]));
  return [...unique.values()].sort((a, b) => compare(a.device, b.device) || compare(a.inode, b.inode));
}

function identity(folder: Directory): string {
  return `${folder.device}:${folder.inode}`;
}

function compare(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function notHeld(): never {
  throw new Error("a folder of the operation was not locked");
}
