import { existsSync, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, relative } from "node:path";

/** The folders of PATH without those that depend on where a program is started, or lie in what was cloned. */
export function safeSearchPath(searchPath: readonly string[], clone: string | undefined): string[] {
  return searchPath.filter((folder) => isAbsolute(folder) && !isWithin(clone, folder));
}

export function toPath(searchPath: readonly string[]): string {
  return searchPath.join(delimiter);
}

/** Where a command stands, by the folders of PATH; undefined where it is not found or depends on the folder. */
export function findCommand(
  command: string,
  searchPath: readonly string[],
  platform: NodeJS.Platform,
): string | undefined {
  const endings = platform === "win32" ? [".exe", ".cmd", ".bat", ""] : [""];
  const bases = isAbsolute(command)
    ? [command]
    : /[\\/]/.test(command)
      ? []
      : searchPath.map((each) => join(each, command));
  return bases.flatMap((base) => endings.map((ending) => base + ending)).find(isFile);
}

export function isWithin(folder: string | undefined, path: string): boolean {
  if (folder === undefined) return false;
  const below = relative(realPath(folder), realPath(path));
  return below === "" || (!below.startsWith("..") && !isAbsolute(below));
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
