import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import { findForeignFile } from "../../roots/foreign-topics.ts";
import { isInside } from "../../settings/real-path.ts";
import { repositoryOf } from "../../settings/recall-consent.ts";
import { settleProject } from "../../settings/settle-project.ts";
import type { UserPlace } from "../../settings/user-folders.ts";
import { createProjectGit, findWorkTree, type ProjectGit } from "../project-git/project-git.ts";

/** How the repository that a project lies in and the project's notes stand to each other. */
export interface NotesInGit {
  /** What this copy of the repository ignores, without telling others. */
  readonly excludeFile: string;
  /** The repository's own folder; where another one may be meant, the work tree, in which that file is not. */
  readonly excludesBelow: string;
  /** The folders of notes and lessons below the work tree, as ignore rules. */
  readonly rules: readonly string[];
  readonly areTracked: boolean;
  readonly areIgnored: boolean;
  /** Of these files, an ignore rule for each that git does not track. */
  untracked(files: readonly string[]): Promise<string[]>;
}

/** Undefined where the project lies in no repository, or there is no git here. */
export async function inspectNotesInGit(project: string, { env, home }: UserPlace): Promise<NotesInGit | undefined> {
  const git = createProjectGit({ folder: project, env });
  const tree = await findWorkTree(git).catch((error: unknown) => {
    if (isRecollectError(error) && error.data["missing"] === "git") return undefined;
    throw error;
  });
  if (tree === undefined) return undefined;
  const excludeFile = resolve(project, (await git.run(["rev-parse", "--git-path", "info/exclude"])).trim());
  requirePlainFile(excludeFile);
  const top = realpathSync(tree.folder);
  const { settings } = await settleProject({ cwd: project, env, home, project });
  const { folder: memories } = settings.values["memories.folder"];
  const { folder: topics } = settings.values.memory_path;
  const isForeign = findForeignFile(settings) !== undefined;
  const inProject = (folder: string) => join(realpathSync(project), relative(project, folder));
  const folders = [memories, isForeign ? undefined : topics]
    .flatMap((folder) => folder ?? [])
    .map(inProject)
    .filter((folder) => folder !== top && isInside(top, folder));
  const ruleOf = (path: string) => `/${relative(top, path).split(sep).join("/")}`;
  const areTracked = folders.length > 0 && (await isAnyTracked(git, folders));
  const ignored = folders.length === 0 ? undefined : await git.attempt(["check-ignore", "--", ...folders]);
  return {
    excludeFile,
    excludesBelow: (await isOwnFolder(dirname(dirname(excludeFile)), top, git, home))
      ? dirname(dirname(excludeFile))
      : top,
    rules: folders.map((folder) => `${ruleOf(folder)}/`),
    areTracked,
    areIgnored: (ignored?.printed.toString("utf8").split("\n").filter(Boolean).length ?? 0) === folders.length,
    untracked: async (files) => {
      const own = files.map(inProject);
      const tracked = await Promise.all(own.map((file) => isAnyTracked(git, [file])));
      return own.filter((_, index) => !tracked[index]).map(ruleOf);
    },
  };
}

/** Git waits for ever for a named pipe that an archive put there, and so would a reader here. */
function requirePlainFile(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() ?? true) return;
  throw new RecollectError("NOT_A_DOCUMENT", `${file} is not a file. Delete it, then try again.`);
}

/**
 * Whether git's folder is that of this work tree alone. An archive may bring a `.git` that is a link, or a file that
 * names any repository of the user: so a worktree must be known to its repository, and a submodule to its settings.
 */
async function isOwnFolder(folder: string, top: string, git: ProjectGit, home: string): Promise<boolean> {
  const real = realPathOf(folder);
  if (real === undefined) return false;
  if (real === join(top, ".git") || real === repositoryOf(top, home)) return true;
  const { printed } = await git.attempt(["config", "--file", join(real, "config"), "core.worktree"]);
  const named = printed.toString("utf8").trim();
  return named !== "" && realPathOf(resolve(real, named)) === top;
}

function realPathOf(path: string): string | undefined {
  return existsSync(path) ? realpathSync(path) : undefined;
}

async function isAnyTracked(git: ProjectGit, paths: readonly string[]): Promise<boolean> {
  const { printed } = await git.attempt(["ls-files", "-z", "--", ...paths]);
  return printed.length > 0;
}
