import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { hasCode } from "../backends/files/storage-error.ts";

/** A `.git` file, a `commondir` or a `gitdir` is one short line; what is longer is something else. */
const mostBytes = 16 * 1024;

/**
 * The same folder in the main worktree, where this one lies in another worktree of a repository. Anything
 * unusual (a submodule, a bare repository, a file that is not git's) is no worktree, and no error.
 */
export function findMainWorktree(folder: string): string | undefined {
  const top = gitTopOf(folder);
  if (top === undefined) return undefined;
  const main = mainWorktreeOf(top);
  if (main === undefined) return undefined;
  const same = join(main, relative(top, folder));
  return isFolder(same) ? same : undefined;
}

/** The branch that is checked out where a folder lies; undefined without one. */
export function currentBranch(folder: string): string | undefined {
  const top = gitTopOf(folder);
  if (top === undefined) return undefined;
  const place = join(top, ".git");
  const [, elsewhere] = /^gitdir: (.+)$/.exec(lineOf(place) ?? "") ?? [];
  const gitFolder = elsewhere === undefined ? place : resolve(top, elsewhere);
  return /^ref: refs\/heads\/(.+)$/.exec(lineOf(join(gitFolder, "HEAD")) ?? "")?.[1];
}

function gitTopOf(folder: string): string | undefined {
  if (statOf(join(folder, ".git"))) return folder;
  return dirname(folder) === folder ? undefined : gitTopOf(dirname(folder));
}

function mainWorktreeOf(top: string): string | undefined {
  const gitFile = join(top, ".git");
  const [, gitFolderName] = /^gitdir: (.+)$/.exec(lineOf(gitFile) ?? "") ?? [];
  if (gitFolderName === undefined) return undefined;
  const gitFolder = resolve(top, gitFolderName);
  const common = lineOf(join(gitFolder, "commondir"));
  // An archive can bring a .git file that names any repository of the user. The repository knows its
  // worktrees, so it has to name this one as well.
  const back = lineOf(join(gitFolder, "gitdir"));
  if (!common || !back || !isSameFile(resolve(gitFolder, back), gitFile)) return undefined;
  const commonFolder = resolve(gitFolder, common);
  const main = dirname(commonFolder);
  return basename(commonFolder) === ".git" && isFolder(main) && !isSameFile(main, top) ? main : undefined;
}

function lineOf(path: string): string | undefined {
  const stat = statOf(path);
  if (!stat?.isFile() || stat.size > mostBytes) return undefined;
  const text = attempt(() => readFileSync(path, "utf8"))?.trim();
  return text === undefined || text.includes("\0") || text.includes("\n") ? undefined : text;
}

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false;
}

function isSameFile(left: string, right: string): boolean {
  const [one, other] = [left, right].map((path) => attempt(() => realpathSync.native(path)));
  return one !== undefined && one === other;
}

function statOf(path: string) {
  return attempt(() => statSync(path, { throwIfNoEntry: false }));
}

/** What git's files say may name nothing, loop, be forbidden or be no path at all. */
function attempt<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    const expected = ["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"];
    if (hasCode(error, ...expected)) return undefined;
    throw error;
  }
}
