import { planMerge } from "../kernel/merge/plan-merge.ts";
import { mergeRevisions } from "./merge-revisions.ts";
import { findBases, mergeTrailer, readGraph } from "./read-graph.ts";
import type { SyncContext, SyncMerge } from "./sync.ts";
import { conflictTrailers } from "./unsettled.ts";

/** What a branch becomes. */
export interface Joined {
  readonly to: string;
  /** Undefined where it is a revision that there is already. */
  readonly merged?: SyncMerge;
}

/** What a merge needs of a sync. */
export type JoinContext = Pick<SyncContext, "git" | "repository" | "merge">;

/** One revision that has what both have: one of them, or a merge of them. */
export async function joinRevisions(
  { git, repository, merge }: JoinContext,
  ours: string,
  theirs: string,
): Promise<Joined> {
  const bases = await findBases(git, ours, theirs);
  if (bases.includes(theirs)) return { to: ours };
  if (bases.includes(ours)) return { to: theirs };
  const plan = planMerge(await readGraph(git, ours, theirs, bases), ours, theirs);
  if (plan.kind === "take" && plan.side === "theirs") return { to: theirs };
  const [mine, other] = await Promise.all([repository.treeOf(ours), repository.treeOf(theirs)]);
  const { merged, changes, isTheirs } = await mergeRevisions({ plan, ours: mine, theirs: other, merge, repository });
  // Both merged the same on different ways, and theirs is the one that all choose.
  if (plan.kind === "choose" && isTheirs) return { to: theirs };
  const to = await repository.commit({
    changes,
    parents: [ours, theirs],
    message: (tree) => `recollect: merge\n\n${mergeTrailer}: ${tree}\n${conflictTrailers(merged.conflicts)}`,
  });
  return { to, merged };
}
