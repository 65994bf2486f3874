import { type BigIntStats, lstatSync } from "node:fs";
import type { Directory, OpenDirectory } from "./directory.ts";
import { openWithoutLinks } from "./open-without-links.ts";
import { hasCode } from "./storage-error.ts";

/** A root's own folder, held open between operations and shared by those that run at once. */
export interface RootHandle {
  /** Undefined where it does not exist. The caller closes it; the last to do so lets go of a replaced one. */
  open(): Directory | undefined;
  close(): void;
}

interface Held {
  readonly directory: Directory;
  users: number;
  retired: boolean;
}

export function createRootHandle(realPath: string, openDirectory: OpenDirectory): RootHandle {
  let held: Held | undefined;

  /** A descriptor that is closed under an operation would soon mean another folder. */
  function retire(): void {
    if (!held) return;
    held.retired = true;
    if (held.users === 0) held.directory.close();
    held = undefined;
  }

  function current(): Held | undefined {
    const there = lstatSync(realPath, { bigint: true, throwIfNoEntry: false });
    if (held && !isSame(held.directory, there)) retire();
    if (held || !there) return held;
    try {
      held = { directory: openWithoutLinks(realPath, openDirectory), users: 0, retired: false };
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw error;
    }
    return held;
  }

  return {
    open: () => {
      const used = current();
      return used && share(used);
    },
    close: retire,
  };
}

function share(held: Held): Directory {
  held.users += 1;
  let open = true;
  return {
    ...held.directory,
    close: () => {
      if (!open) return;
      open = false;
      held.users -= 1;
      if (held.retired && held.users === 0) held.directory.close();
    },
  };
}

/** False where the folder was deleted, moved away or replaced by another: then the path decides. */
function isSame(directory: Directory, there: BigIntStats | undefined): boolean {
  return there?.ino === directory.inode && there.dev === directory.device;
}
