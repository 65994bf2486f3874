import type { Moment } from "../../kernel/root-history.ts";
import type { Git } from "./run-git.ts";
import { toTreePath } from "./tree-path.ts";

/** One git process for all of them. */
export async function readContents(moments: readonly Moment[], git: Git): Promise<readonly (Uint8Array | undefined)[]> {
  const names = moments.map(({ id, path, side }) => {
    if (!/^[0-9a-f]{40}$/.test(id)) return "nothing";
    return `${id}${side === "before" ? "^" : ""}:${toTreePath(path)}`;
  });
  return readNamed(names, git);
}

/** Documents as git calls them: by their own id, or by a commit and a path. */
export async function readNamed(names: readonly string[], git: Git): Promise<readonly (Uint8Array | undefined)[]> {
  if (names.length === 0) return [];
  const printed = await git.run(["cat-file", "--batch"], { input: [Buffer.from(`${names.join("\n")}\n`)] });
  const found: (Uint8Array | undefined)[] = [];
  for (let at = 0; at < printed.length; ) {
    const end = printed.indexOf("\n", at);
    const size = / blob ([0-9]+)$/.exec(printed.toString("utf8", at, end))?.[1];
    found.push(size === undefined ? undefined : printed.subarray(end + 1, end + 1 + Number(size)));
    at = size === undefined ? end + 1 : end + 2 + Number(size);
  }
  return names.map((_, index) => found[index]);
}

/** How many bytes each has; undefined where there is none. */
export async function sizesOfNamed(names: readonly string[], git: Git): Promise<readonly (number | undefined)[]> {
  if (names.length === 0) return [];
  const input = [Buffer.from(`${names.join("\n")}\n`)];
  const printed = await git.run(["cat-file", "--batch-check"], { input, timeoutMs: 10 * 60_000 });
  const lines = printed.toString("utf8").split("\n");
  return names.map((_, index) => {
    const size = / blob ([0-9]+)$/.exec(lines[index] ?? "")?.[1];
    return size === undefined ? undefined : Number(size);
  });
}
