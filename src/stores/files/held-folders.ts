import type { FolderPart } from "./apply.ts";
import type { Directory } from "./directory.ts";
import type { FolderLocks, HeldFolder } from "./folder-locks.ts";

/** A folder that was opened for an operation, and where it lies. */
export interface OpenFolder {
  readonly folder: Directory;
  readonly realPath: string;
}

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
  return collect(async (hold) => {
    for (const folder of inOrder(folders)) hold(folder, await locks.acquire(folder.folder));
    return true;
  }) as Promise<HeldFolders>;
}

/** The same without waiting: undefined where any of them is taken. */
export async function tryHoldFolders(
  folders: readonly OpenFolder[],
  locks: FolderLocks,
): Promise<HeldFolders | undefined> {
  return collect(async (hold) => {
    for (const folder of inOrder(folders)) {
      const held = locks.tryAcquire(folder.folder);
      if (!held) return false;
      hold(folder, held);
    }
    return true;
  });
}

async function collect(
  take: (hold: (folder: OpenFolder, held: HeldFolder) => void) => Promise<boolean>,
): Promise<HeldFolders | undefined> {
  const taken: HeldFolder[] = [];
  const parts = new Map<string, FolderPart>();
  const release = () => {
    for (const held of taken.splice(0).toReversed()) held.release();
  };
  try {
    const all = await take(({ folder, realPath }, held) => {
      taken.push(held);
      parts.set(identity(folder), { folder, realPath, auxiliary: held.auxiliary });
    });
    if (!all) {
      release();
      return undefined;
    }
  } catch (error) {
    release();
    throw error;
  }
  return {
    release,
    part: ({ folder }) => {
      const part = parts.get(identity(folder));
      if (!part) throw new Error("a folder of the operation was not locked");
      return part;
    },
  };
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
