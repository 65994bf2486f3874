import type { Revisions } from "../kernel/merge/plan-merge.ts";
import type { SyncGit } from "./sync-git.ts";

/** Marks a revision as nothing but the result of a merge. It names the tree, so that what a person changed in it shows. */
export const mergeTrailer = "Recollect-Merge";

/** The last revisions that both have. */
export async function findBases(git: SyncGit, ours: string, theirs: string): Promise<readonly string[]> {
  const { printed } = await git.attempt(["merge-base", "--all", ours, theirs]);
  const lines = printed.toString("utf8").split("\n");
  return lines.filter((id) => id !== "");
}

/** As much of the graph of revisions as a merge of these two needs. */
export async function readGraph(
  git: SyncGit,
  ours: string,
  theirs: string,
  bases: readonly string[],
): Promise<Revisions> {
  // With one base, everything before it is the same for both; several are merged first, by what came before them.
  const base = bases.length === 1 ? bases[0] : undefined;
  const range = base === undefined ? [ours, theirs] : [ours, theirs, `^${base}`];
  const format = `--format=%H%x09%P%x09%T%x09%(trailers:key=${mergeTrailer},valueonly,separator=%x20)`;
  const lines = (await git.run(["log", format, ...range, "--"])).toString("utf8").split("\n");
  const parents = new Map<string, readonly string[]>();
  const merges = new Set<string>();
  for (const line of lines) {
    const [id = "", before = "", tree, trailer] = line.split("\t");
    if (id === "") continue;
    parents.set(
      id,
      before.split(" ").filter((one) => one !== ""),
    );
    if (before.includes(" ") && trailer === tree) merges.add(id);
  }
  const known = (id: string) => (parents.has(id) || base === undefined ? id : base);
  return {
    parentsOf: (id) => [...new Set((parents.get(id) ?? []).map(known))],
    isMerge: (id) => merges.has(id),
  };
}
