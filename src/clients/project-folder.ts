import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { RecollectError } from "../core/errors.ts";
import { isThere } from "./is-there.ts";

const marks = [".serena", "recollect.yaml", ".git"];

export const memoriesFolder = ".serena/memories";

export function isProject(folder: string): boolean {
  return marks.some((mark) => isThere(join(folder, mark)));
}

/**
 * The nearest project at or above a folder; the folder itself where there is none. The home folder holds
 * `.serena` for the user's own memories and is therefore no project of what lies below it.
 */
export function nearestProject(from: string, home: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (isProject(folder) && (folder !== home || from === home)) return folder;
    if (folder === dirname(folder)) return from;
  }
}

export function makeProject(folder: string): void {
  try {
    mkdirSync(join(folder, memoriesFolder), { recursive: true });
  } catch (error) {
    throw new RecollectError("STORAGE_FAILED", `The folder ${memoriesFolder} cannot be made.`, { cause: error });
  }
}
