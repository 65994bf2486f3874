import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { safeArguments, safeEnvironment } from "../git/git-safety.ts";
import { spawnGit } from "../git/spawn-git.ts";

/** Another repository that has the files of a folder too, and may hold what was in them. */
export interface KnownRemote {
  readonly name: string;
  /** Without a password that may be in it. */
  readonly url: string;
}

export interface TrackedFolder {
  /** Whether somebody's own repository has files of this folder. */
  readonly isTracked: boolean;
  /** The top of its work tree. */
  readonly top?: string;
  readonly remotes: readonly KnownRemote[];
}

const timeoutMs = 20_000;

/** The repository that a folder of documents lies in, which is none of ours: it is only looked at. */
export async function findRemotes(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<TrackedFolder> {
  const top = findTop(folder);
  if (top === undefined) return { isTracked: false, remotes: [] };
  // From its top, so that git takes this one and no other that lies on the way; it looks itself whose it is.
  const environment = { ...safeEnvironment(env), GIT_CEILING_DIRECTORIES: dirname(top) };
  const ask = async (...args: string[]) => {
    const { code, printed } = await spawnGit({
      args: [...safeArguments(), ...args],
      env: environment,
      cwd: top,
      timeoutMs,
    });
    return code === 0 ? printed.toString("utf8") : "";
  };
  const below = relative(top, realpathSync(folder)) || ".";
  try {
    const isTracked = (await ask("ls-files", "--", below)) !== "" || (await isInHistory(ask, below));
    return { isTracked, top, remotes: isTracked ? parseRemotes(await ask("remote", "-v")) : [] };
  } catch (error) {
    // No git: then nobody shares it either.
    if (error instanceof Error && "code" in error) return { isTracked: false, remotes: [] };
    throw error;
  }
}

/** Of all branches; `git log` would look at signatures, by a program that settings name. */
async function isInHistory(ask: (...args: string[]) => Promise<string>, below: string): Promise<boolean> {
  return (await ask("rev-list", "-1", "--all", "--", below)) !== "";
}

/** Where `.git` lies, here or above. Not by git, which takes a folder that only looks like a repository for one. */
function findTop(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  for (let top = realpathSync(folder); ; top = dirname(top)) {
    // Where `.git` is damaged, git would take the folder itself; nothing is asked of that either.
    if (existsSync(join(top, ".git"))) return looksBare(top) ? undefined : top;
    if (top === dirname(top)) return undefined;
  }
}

function looksBare(folder: string): boolean {
  return ["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name)));
}

function parseRemotes(printed: string): KnownRemote[] {
  const found = printed.split("\n").flatMap((line) => {
    const [, name, url] = /^(\S+)\t(.+) \(push\)$/.exec(line) ?? [];
    return name === undefined || url === undefined ? [] : [{ name, url: url.replace(/\/\/[^/@]*@/, "//") }];
  });
  return [...new Map(found.map((remote) => [remote.name, remote])).values()];
}
