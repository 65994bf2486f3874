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
  readonly remotes: readonly KnownRemote[];
}

const timeoutMs = 20_000;
/** Settings of a repository that came from somebody else must not run anything. */
const safe = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

/** The repository that a folder of documents lies in, which is none of ours: it is only looked at. */
export async function findRemotes(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<TrackedFolder> {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  const environment = { ...Object.fromEntries(kept), GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" };
  const ask = async (...args: string[]) => {
    const { code, printed } = await spawnGit({ args: [...safe, ...args], env: environment, cwd: folder, timeoutMs });
    return code === 0 ? printed.toString("utf8") : "";
  };
  try {
    const isTracked = (await ask("ls-files", "--", ".")) !== "" || (await ask("log", "-1", "--all", "--", ".")) !== "";
    return { isTracked, remotes: isTracked ? parseRemotes(await ask("remote", "-v")) : [] };
  } catch (error) {
    // No git, or no such folder: then nobody shares it either.
    if (error instanceof Error && "code" in error) return { isTracked: false, remotes: [] };
    throw error;
  }
}

function parseRemotes(printed: string): KnownRemote[] {
  const found = printed.split("\n").flatMap((line) => {
    const [, name, url] = /^(\S+)\t(.+) \(push\)$/.exec(line) ?? [];
    return name === undefined || url === undefined ? [] : [{ name, url: url.replace(/\/\/[^/@]*@/, "//") }];
  });
  return [...new Map(found.map((remote) => [remote.name, remote])).values()];
}
