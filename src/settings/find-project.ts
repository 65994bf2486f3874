import { statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { hasCode, toStorageError } from "../backends/files/storage-error.ts";
import { RecollectError } from "../kernel/errors.ts";
import { findMainWorktree } from "./main-worktree.ts";
import { nearestProject } from "./nearest-project.ts";
import { shorten } from "./refuse-setting.ts";
import { expandHome } from "./setting-types.ts";

/** A project: the folder that its memory belongs to. */
export interface Project {
  readonly folder: string;
  /** The same folder in the main worktree, where this one is in another: shared with `share_worktrees`. */
  readonly mainWorktree?: string;
}

export interface FindProjectOptions {
  readonly cwd: string;
  /** What the user named, against `cwd`; without it the nearest project above `cwd`. */
  readonly given?: string;
  readonly home?: string;
}

/** Undefined where nothing was named and nothing above the working directory looks like a project. */
export function findProject({ cwd, given, home = homedir() }: FindProjectOptions): Project | undefined {
  const folder = given === undefined ? nearestProject(resolve(cwd), home) : givenFolder(given, cwd, home);
  if (folder === undefined) return undefined;
  const mainWorktree = findMainWorktree(folder);
  return mainWorktree === undefined ? { folder } : { folder, mainWorktree };
}

function givenFolder(given: string, cwd: string, home: string): string {
  const folder = resolve(cwd, expandHome(given, home));
  const says = given.includes("\0") || given.trim() === "" ? "is not the name of a folder" : whyNoFolder(folder);
  if (says === undefined) return folder;
  throw new RecollectError("INVALID_ARGUMENT", `The project ${shorten(given)} ${says}. Give a folder that exists.`, {
    data: { project: given },
  });
}

function whyNoFolder(folder: string): string | undefined {
  try {
    const stat = statSync(folder, { throwIfNoEntry: false });
    if (!stat) return "does not exist";
    return stat.isDirectory() ? undefined : "is not a folder";
  } catch (error) {
    if (hasCode(error, "ENOTDIR")) return "does not exist";
    if (hasCode(error, "ELOOP")) return "is a link that cannot be followed";
    throw toStorageError(error, "look at the project's folder");
  }
}
