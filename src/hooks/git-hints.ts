import { closeSync, lstatSync, openSync, readSync } from "node:fs";
import { join, resolve } from "node:path";

const tailBytes = 4000;

/** What a session is probably about: the branch, in words, and the last commits. Empty where git says nothing. */
export function gitHints(project: string | undefined): string {
  if (project === undefined) return "";
  const folder = gitFolder(project);
  const branch = endOf(join(folder, "HEAD")).match(/^ref: refs\/heads\/(.+)$/m)?.[1] ?? "";
  const subjects = endOf(join(folder, "logs", "HEAD"))
    .split("\n")
    .flatMap((line) => line.match(/\tcommit[^:]*: (.+)$/)?.[1] ?? [])
    .slice(-2);
  const named = /^(?:main|master|trunk|develop|dev)$/.test(branch) ? [] : [branch.replaceAll(/[/_-]+/g, " ")];
  return [...named, ...subjects].join(" ").trim();
}

/** In a worktree, `.git` is a file that says where the folder is. */
function gitFolder(project: string): string {
  const place = join(project, ".git");
  const elsewhere = endOf(place).match(/^gitdir: (.+)$/m)?.[1];
  return elsewhere === undefined ? place : resolve(project, elsewhere);
}

/** Of a plain file alone: a named pipe or a device that comes with an archive would never end, nor let a timer run. */
function endOf(file: string): string {
  try {
    const stat = lstatSync(file);
    if (!stat.isFile()) return "";
    const descriptor = openSync(file, "r");
    try {
      const bytes = Buffer.alloc(Math.min(stat.size, tailBytes));
      return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, stat.size - bytes.length));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // No repository, or none of the usual form: a hint less.
    return "";
  }
}
