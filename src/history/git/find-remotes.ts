import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { safeArguments, safeEnvironment } from "./git-safety.ts";
import { spawnGit } from "./spawn-git.ts";

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
  const nothing: TrackedFolder = { isTracked: false, remotes: [] };
  return askRepository<TrackedFolder>(folder, env, nothing, async (ask, below, top) => {
    const isTracked = (await ask("ls-files", "--", below)) !== "" || (await isInHistory(ask, below));
    return { isTracked, top, remotes: isTracked ? parseRemotes(await ask("remote", "-v")) : [] };
  });
}

/** How many documents are asked about: each costs a walk through git's history. */
const mostAsked = 8;

/**
 * Whether git has these documents of a folder, which may be gone, in other commits, and has none of them checked out:
 * they are on another branch, left out of a sparse checkout, in a stash, or in a commit that only a reflog names.
 */
export async function areNotCheckedOut(
  folder: string,
  documents: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  return askRepository(folder, env, false, async (ask, below) => {
    for (const path of documents.slice(0, mostAsked).map((name) => `${below === "." ? "" : `${below}/`}${name}`)) {
      // The letter S marks what a sparse checkout leaves out.
      const listed = await ask("ls-files", "-t", "--", path);
      if (listed === "" ? !(await isInHistory(ask, path, "--reflog")) : !listed.startsWith("S ")) {
        return false;
      }
    }
    return documents.length > 0;
  });
}

type Ask = (...args: string[]) => Promise<string>;

async function askRepository<Answer>(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  none: Answer,
  use: (ask: Ask, below: string, top: string) => Promise<Answer>,
): Promise<Answer> {
  const existing = nearestExisting(folder);
  const top = findTop(existing);
  if (top === undefined) return none;
  // From its top, so that git takes this one and no other that lies on the way; it looks itself whose it is.
  const environment = { ...safeEnvironment(env), GIT_CEILING_DIRECTORIES: dirname(top) };
  const ask: Ask = async (...args) => {
    const { code, printed } = await spawnGit({
      args: [...safeArguments(), ...args],
      env: environment,
      cwd: top,
      timeoutMs,
    });
    return code === 0 ? printed.toString("utf8") : "";
  };
  const below = relative(top, join(realpathSync(existing), relative(existing, folder))) || ".";
  try {
    return await use(ask, below, top);
  } catch (error) {
    // No git: then nobody shares it either.
    if (error instanceof Error && "code" in error) return none;
    throw error;
  }
}

function nearestExisting(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestExisting(dirname(folder));
}

/** Of all branches; `git log` would look at signatures, by a program that settings name. */
async function isInHistory(ask: Ask, below: string, ...also: string[]): Promise<boolean> {
  return (await ask("rev-list", "-1", "--all", ...also, "--", below)) !== "";
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
