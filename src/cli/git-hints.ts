import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const tailChars = 4000;

/** What a session is probably about: the branch, in words, and the last commits. Empty where git says nothing. */
export function gitHints(project: string | undefined): string {
  if (project === undefined) return "";
  const folder = gitFolder(project);
  const branch = textOf(join(folder, "HEAD")).match(/^ref: refs\/heads\/(.+)$/m)?.[1] ?? "";
  const subjects = textOf(join(folder, "logs", "HEAD"))
    .slice(-tailChars)
    .split("\n")
    .flatMap((line) => line.match(/\tcommit[^:]*: (.+)$/)?.[1] ?? [])
    .slice(-2);
  const named = /^(?:main|master|trunk|develop|dev)$/.test(branch) ? [] : [branch.replaceAll(/[/_-]+/g, " ")];
  return [...named, ...subjects].join(" ").trim();
}

/** In a worktree, `.git` is a file that says where the folder is. */
function gitFolder(project: string): string {
  const place = join(project, ".git");
  const elsewhere = textOf(place).match(/^gitdir: (.+)$/m)?.[1];
  return elsewhere === undefined ? place : resolve(project, elsewhere);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // No repository, or none of the usual form: a hint less.
    return "";
  }
}
