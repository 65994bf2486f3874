import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { makeFolders } from "../backends/files/make-folders.ts";
import { syncFolder } from "../backends/files/sync-folder.ts";
import { isThere } from "./is-there.ts";

/** No client's settings come near it; a larger file is something else. */
const maximumBytes = 1024 * 1024;
/** In its user's own file a client may keep a history of megabytes: Claude Code does, in ~/.claude.json. */
const maximumOwnBytes = 64 * 1024 * 1024;

/** A file of a client as it stands, or why it is not to be touched. */
type ConfigFile =
  | { readonly kind: "present"; readonly path: string; readonly text: string; readonly mode: number }
  | { readonly kind: "absent"; readonly path: string }
  | { readonly kind: "refused"; readonly reason: string };

/** Where a file lies. */
export interface ConfigPlace {
  /** Absolute. */
  readonly path: string;
  /** Links may not lead out of this folder: a cloned project chooses its own links. Absent for the user's own files. */
  readonly below?: string | undefined;
}

/** Reads the file, or what its links lead to. */
export function readConfigFile(place: ConfigPlace): ConfigFile {
  const resolved = resolveLinks(place);
  if ("reason" in resolved) return { kind: "refused", ...resolved };
  const { path } = resolved;
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return { kind: "absent", path };
    if (code === "ENOTDIR") return { kind: "refused", reason: "a file stands where its folder should be" };
    return { kind: "refused", reason: `it cannot be read (${code})` };
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return { kind: "refused", reason: "it is no file" };
    if ((stat.mode & 0o222) === 0) {
      return { kind: "refused", reason: "it is read-only; make it writable (chmod u+w) and run this again" };
    }
    const most = place.below === undefined ? maximumOwnBytes : maximumBytes;
    if (stat.size > most) return { kind: "refused", reason: `it is larger than ${most / 1024 / 1024} MiB` };
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(descriptor));
    return { kind: "present", path, text, mode: stat.mode & 0o7777 };
  } catch (error) {
    if (error instanceof TypeError) return { kind: "refused", reason: "it is not UTF-8" };
    return { kind: "refused", reason: `it cannot be read (${codeOf(error)})` };
  } finally {
    closeSync(descriptor);
  }
}

/** Whole or not at all: a client may read its settings at any moment. */
export function writeConfigFile(path: string, text: string, mode: number | undefined): void {
  const folder = dirname(path);
  makeFolders(folder);
  const temporary = join(folder, `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const descriptor = openSync(temporary, "wx", mode ?? 0o666);
    try {
      // The umask takes bits away from the mode that `open` is given.
      if (mode !== undefined) fchmodSync(descriptor, mode);
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    unlinkIfThere(temporary);
    throw error;
  }
  syncFolder(folder);
}

/** Removes the file, and of these folders, the innermost first, those that are empty then. */
export function removeConfigFile(path: string, folders: readonly string[]): void {
  unlinkSync(path);
  for (const folder of folders) if (!removeIfEmpty(folder)) return;
}

function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "ENOENT"].includes(codeOf(error))) return false;
    throw error;
  }
}

/** The folders that a write of this file would make, the innermost first. */
export function missingFolders(path: string): string[] {
  const folder = dirname(path);
  return folder === path || isThere(folder) ? [] : [folder, ...missingFolders(folder)];
}

type Resolved = { readonly path: string } | { readonly reason: string };

function resolveLinks(place: ConfigPlace): Resolved {
  try {
    return followLinks(place);
  } catch (error) {
    const code = codeOf(error);
    // The project is gone with all its files.
    return code === "ENOENT" ? { path: place.path } : { reason: `it cannot be reached (${code})` };
  }
}

function followLinks({ path, below }: ConfigPlace): Resolved {
  if (below !== undefined) {
    const found = resolveBelow(below, relative(below, path));
    return found === undefined ? { reason: "it is a link, or lies behind one, that leads elsewhere" } : { path: found };
  }
  // Dotfiles are often links into a repository: the link stays, and what it leads to is written.
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return { path };
  const target = realTargetOf(path);
  return target === undefined ? { reason: "it is a link to a file that does not exist" } : { path: target };
}

/** The real path, or undefined where it leads out of `base`. Parts that do not exist yet are taken as they are. */
function resolveBelow(base: string, file: string): string | undefined {
  const root = realpathSync(base);
  let path = root;
  for (const part of file.split(sep)) {
    path = join(path, part);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
      const target = realTargetOf(path);
      if (target === undefined || !isBelow(root, target)) return undefined;
      path = target;
    }
  }
  return isBelow(root, path) ? path : undefined;
}

function realTargetOf(link: string): string | undefined {
  try {
    return realpathSync(link);
  } catch {
    // A dangling link would be filled where nobody looked.
    return undefined;
  }
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !/^[A-Za-z]:/.test(way);
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

export function codeOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === undefined) throw error;
  return code;
}
