import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { hasCode } from "./storage-error.ts";

/**
 * Makes a folder with those above it. One by one: Node's own recursive way never returns on file systems that take no
 * folders, such as /proc.
 */
export function makeFolders(path: string, mode = 0o777): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolders(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Somebody else may have made it just now.
    if (!hasCode(error, "EEXIST") || !isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
