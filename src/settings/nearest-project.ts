import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { hasCode } from "../backends/files/storage-error.ts";

/** The settings file that a project brings along. */
export const projectSettingsFile = "recollect.yaml";

/** The folder itself or the nearest above it that looks like a project. Loads next to nothing: hooks ask it. */
export function nearestProject(folder: string, home: string): string | undefined {
  return nearestTo(folder, realOf(home));
}

function nearestTo(folder: string, home: string | undefined): string | undefined {
  // ~/.serena is where a user's own memories and Serena's settings lie; it makes no project of the home.
  const isHome = home !== undefined && realOf(folder) === home;
  const marked = exists(folder, projectSettingsFile) || exists(folder, ".git");
  if (marked || (!isHome && isFolder(join(folder, ".serena")))) return folder;
  return dirname(folder) === folder ? undefined : nearestTo(dirname(folder), home);
}

function exists(folder: string, name: string): boolean {
  return statOrNothing(() => lstatSync(join(folder, name), { throwIfNoEntry: false })) !== undefined;
}

function isFolder(path: string): boolean {
  return statOrNothing(() => statSync(path, { throwIfNoEntry: false }))?.isDirectory() ?? false;
}

function realOf(path: string): string | undefined {
  return statOrNothing(() => realpathSync.native(path));
}

/** A folder above that may not be looked into is none that we can work in. */
function statOrNothing<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP")) return undefined;
    throw error;
  }
}
