import { closeSync, constants, lstatSync, openSync, readdirSync, utimesSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { auxiliaryFolder, sealedFolder } from "../../kernel/document-path.ts";
import { auxiliaryNames, ensureAuxiliary, exists, removeIfThere, shareWithFolder } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { hasCode } from "./storage-error.ts";

/**
 * The root that owns what agents keep for themselves, wherever a marker says that they do. No store opens it and nothing
 * mounts it, so it is hidden on every surface. Configured roots never have this name.
 */
export const sealedRoot = "sealed files of agents";

const isSealedName = (name: string) => name.toLowerCase() === sealedFolder;
// Asked of every path: only a folder of this name can have a marker, so that no other folder is looked at for one.
const mayBeSealed = new RegExp(`(^|/)${sealedFolder}(/|$)`, "i");

/** How many of the segments lead to the outermost sealed folder, itself included; 0 where there is none. */
export function sealedDepth(realPath: string, segments: readonly string[]): number {
  const depth = segments.findIndex((name, index) => {
    if (!isSealedName(name)) return false;
    return hasMarker(`${[realPath, ...segments.slice(0, index + 1)].join("/")}/`);
  });
  return depth + 1;
}

/** The same of a path as texts, at nearly no cost where no folder of it can be one. */
export function sealedPart(realPath: string, path: string): string | undefined {
  if (!mayLieSealed(path)) return undefined;
  const segments = path.split("/");
  const depth = sealedDepth(realPath, segments);
  return depth === 0 ? undefined : segments.slice(0, depth).join("/");
}

/** Whether a document of this path may be one of agents, of which only a look at the disk tells. */
export function mayLieSealed(path: string): boolean {
  return mayBeSealed.test(path);
}

/** Whether a folder on disk is a sealed one, or lies in one. */
export function liesSealed(realPath: string): boolean {
  const outer = dirname(realPath);
  if (isSealedFolder(realPath)) return true;
  return outer !== realPath && liesSealed(outer);
}

/** The outermost sealed folders below a folder on disk. A link leads elsewhere, and names in `without` are not entered. */
export function sealedBelow(realPath: string, without: ReadonlySet<string>): string[] {
  return foldersIn(realPath)
    .filter((name) => !without.has(name))
    .flatMap((name) => {
      const child = join(realPath, name);
      return isSealedFolder(child) ? [child] : sealedBelow(child, without);
    });
}

/** Whether a folder on disk is a sealed one. */
export function isSealedFolder(realPath: string): boolean {
  return isSealedName(basename(realPath)) && hasMarker(`${realPath}/`);
}

/** What cannot be looked into holds none that could be cleaned. */
function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM")) return [];
    throw error;
  }
}

/** Whether a folder that was just opened is one: by its descriptor, whatever has its path by now. */
export function isSealed(folder: Directory, name: string): boolean {
  return isSealedName(name) && hasMarker(folder.at(""));
}

/** What nobody may look at is no less sealed. */
function hasMarker(prefix: string): boolean {
  try {
    return lstatSync(`${prefix}${auxiliaryFolder}/${auxiliaryNames.agents}`, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return !hasCode(error, "ENOTDIR", "ELOOP", "ENAMETOOLONG");
  }
}

/** Marks the folder in which all agents keep theirs. A place that cannot be written to stays as it is. */
export function seal(folder: Directory): void {
  try {
    const auxiliary = ensureAuxiliary(folder);
    try {
      if (exists(auxiliary, auxiliaryNames.agents)) return;
      writeMarker(auxiliary);
      auxiliary.syncNow();
      // Processes that watch the folder hear of this, not of the marker: what they know of it is out of date.
      utimesSync(folder.at("."), new Date(), new Date());
    } finally {
      auxiliary.close();
    }
  } catch (error) {
    if (!hasCode(error, "EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "NOT_ALLOWED")) throw error;
  }
}

function writeMarker(auxiliary: Directory): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  let descriptor: number;
  try {
    descriptor = openSync(auxiliary.at(auxiliaryNames.agents), flags, 0o600);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return;
    throw error;
  }
  try {
    writeSync(descriptor, '{"format":1}\n');
    shareWithFolder(descriptor, auxiliary);
  } catch (error) {
    removeIfThere(auxiliary, auxiliaryNames.agents);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
