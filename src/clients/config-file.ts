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
import { makeFolders } from "../stores/files/make-folders.ts";

/** No client's settings come near it; a larger file is something else. */
const maximumBytes = 1024 * 1024;

/** A file of a client as it stands, or why it is not to be touched. */
type ConfigFile =
  | { readonly kind: "present"; readonly path: string; readonly text: string; readonly mode: number }
  | { readonly kind: "absent"; readonly path: string }
  | { readonly kind: "refused"; readonly reason: string };

/** Reads `base/file`. Links are followed as long as they stay below `base`: a cloned project chooses its own links. */
export function readConfigFile(base: string, file: string): ConfigFile {
  const path = resolveBelow(base, file);
  if (path === undefined) return { kind: "refused", reason: "it is a link, or lies behind one, that leads elsewhere" };
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
    if (stat.size > maximumBytes) return { kind: "refused", reason: "it is larger than 1 MiB" };
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

/** Removes the file, and its folder where that is a folder of the client alone and now empty. */
export function removeConfigFile(path: string, base: string): void {
  unlinkSync(path);
  const folder = dirname(path);
  if (folder !== realpathSync(base) && removeIfEmpty(folder)) return;
  syncFolder(folder);
}

function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOTEMPTY" || codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** The real path, or undefined where it leads out of `base`. Parts that do not exist yet are taken as they are. */
function resolveBelow(base: string, file: string): string | undefined {
  const root = realpathSync(base);
  let path = root;
  for (const part of file.split("/")) {
    path = join(path, part);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
      const target = realTargetOf(path);
      if (target === undefined || !isBelow(root, target)) return undefined;
      path = target;
    }
  }
  return path;
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

function syncFolder(folder: string): void {
  // Windows opens no folders.
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
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
