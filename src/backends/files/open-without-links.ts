import { type BigIntStats, closeSync, constants, fstatSync, openSync } from "node:fs";
import { parse, sep } from "node:path";
import {
  bestOpenDirectory,
  type Directory,
  makeChild,
  type OpenDirectory,
  openByDescriptor,
  openByPath,
} from "./directory.ts";
import { hasCode, staleError } from "./storage-error.ts";

/** A folder on the way to a root: passed, never listed, so it need not be readable. */
interface Waypoint {
  at(name: string): string;
  stat(): BigIntStats;
  /** Throws ENOENT, ENOTDIR or ELOOP. */
  child(name: string): Waypoint;
  verify(): void;
  close(): void;
}

/** How often folders may be swapped between the walk and the opening before that is an error. */
const maxAttempts = 5;

/** Linux' own, for which Node has no name. */
const O_PATH = 0o10000000;
const passFlags = O_PATH | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Opens the folder of a root. A root's path was resolved once, when the store was opened: a folder above it that
 * became a link since then, by a checkout or by an attacker, would lead out of the root (KER-2).
 */
export function openWithoutLinks(realPath: string, openDirectory: OpenDirectory): Directory {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const opened = openWhereWalked(realPath, openDirectory);
    if (opened) return opened;
  }
  throw staleError("the folders above the root were replaced again and again");
}

/** Durably makes what is missing of a root's folder and of those above it, never through a link. */
export async function makeWithoutLinks(
  realPath: string,
  openDirectory: OpenDirectory,
  blocking: boolean,
): Promise<void> {
  let here = beginWalk(realPath);
  try {
    for (const name of namesOf(realPath)) {
      const next = childOf(here, name) ?? (await makeAt(here, name));
      here.close();
      here = next;
    }
  } finally {
    here.close();
  }

  async function makeAt(waypoint: Waypoint, name: string): Promise<Waypoint> {
    const parent = openDirectory(waypoint.at("."));
    try {
      await makeChild(parent, name, blocking);
      waypoint.verify();
      return waypoint.child(name);
    } finally {
      parent.close();
    }
  }
}

/** Undefined where another folder was opened than the one that the walk came to. */
function openWhereWalked(realPath: string, openDirectory: OpenDirectory): Directory | undefined {
  const end = walkTo(realPath);
  try {
    // Held until they were compared: the number of a deleted folder is given away again.
    const directory = openDirectory(realPath);
    if (isAt(end, directory)) return directory;
    directory.close();
    return undefined;
  } finally {
    end.close();
  }
}

function isAt(end: Waypoint, directory: Directory): boolean {
  try {
    end.verify();
    const { ino, dev } = end.stat();
    return ino === directory.inode && dev === directory.device;
  } catch (error) {
    directory.close();
    throw error;
  }
}

function walkTo(realPath: string): Waypoint {
  let here = beginWalk(realPath);
  for (const name of namesOf(realPath)) {
    const parent = here;
    try {
      here = parent.child(name);
    } finally {
      parent.close();
    }
  }
  return here;
}

function namesOf(realPath: string): string[] {
  return realPath.slice(parse(realPath).root.length).split(sep).filter(Boolean);
}

function beginWalk(realPath: string): Waypoint {
  const { root } = parse(realPath);
  return bestOpenDirectory() === openByDescriptor ? passByDescriptor(root) : openByPath(root);
}

function passByDescriptor(path: string): Waypoint {
  const descriptor = openSync(path, passFlags);
  const at = (name: string) => `/proc/self/fd/${descriptor}/${name}`;
  return {
    at,
    stat: () => fstatSync(descriptor, { bigint: true }),
    child: (name) => passByDescriptor(at(name)),
    verify: () => {},
    close: () => closeSync(descriptor),
  };
}

function childOf(waypoint: Waypoint, name: string): Waypoint | undefined {
  try {
    return waypoint.child(name);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
