import type { ProjectGit, WorkTree } from "./project-git.ts";

const localScopes: ReadonlySet<string> = new Set(["local", "worktree"]);

/**
 * Files that git would hand to a program which the repository's own settings name, each with the reason to leave it
 * out: such settings may have come with a copy of the repository. To pass the program by would commit what it was to
 * hide, as where a repository keeps its files encrypted. Programs of the user's own settings are the user's choice.
 */
export async function findLocalFilters(
  git: ProjectGit,
  { folder }: WorkTree,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const filters = await localFilters(git);
  if (filters.size === 0 || paths.length === 0) return new Map();
  const input = paths.map((path) => `${path}\0`).join("");
  const printed = await git.run(["-C", folder, "check-attr", "-z", "--stdin", "filter"], { input });
  const words = printed.split("\0");
  const found = new Map<string, string>();
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [path = "", , name = ""] = words.slice(at, at + 3);
    if (filters.has(name)) found.set(path, `the repository's own settings have a program filter it (${name})`);
  }
  return found;
}

/** Names of filters that run a program by settings of the repository itself. */
async function localFilters(git: ProjectGit): Promise<ReadonlySet<string>> {
  const asked = ["config", "--show-scope", "-z", "--get-regexp", "^filter\\..*\\.(clean|process)$"];
  const { printed } = await git.attempt(asked);
  const words = printed.toString("utf8").split("\0");
  return new Set(
    words.flatMap((scope, index) => {
      if (index % 2 !== 0 || !localScopes.has(scope)) return [];
      return /^filter\.(.*)\.(?:clean|process)$/s.exec(words[index + 1]?.split("\n", 1)[0] ?? "")?.[1] ?? [];
    }),
  );
}
