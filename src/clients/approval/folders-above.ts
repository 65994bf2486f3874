import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { repositoryOf } from "../../settings/recall-consent.ts";

/** A folder and those around it, by the name that was given and by the real one: clients note either. */
export function foldersAbove(folder: string): string[] {
  return [...new Set([...chain(folder), ...chain(realOf(folder))])];
}

/** The folder, the top of the repository around it, and of that the main worktree: its trust holds for the others. */
export function folderAndRepository(folder: string, home: string): string[] {
  const tops = foldersAbove(folder).filter((each) => existsSync(join(each, ".git")));
  return [...new Set([folder, realOf(folder), ...tops, ...mainWorktree(folder, home)])];
}

export function mainWorktree(folder: string, home: string): string[] {
  const common = repositoryOf(folder, home);
  return common !== undefined && basename(common) === ".git" ? [dirname(common)] : [];
}

function chain(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...chain(above)];
}

function realOf(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : folder;
}
