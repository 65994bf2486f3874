import { comparePaths } from "../document-path.ts";

/** The parents of a revision, by its id. */
export type ParentsOf = (id: string) => readonly string[];

/** Where the base of a merge comes from: nothing, one revision, or the merge of two such bases. */
export type BasePlan =
  | { readonly kind: "none" }
  | { readonly kind: "revision"; readonly id: string }
  | { readonly kind: "merge"; readonly base: BasePlan; readonly ours: BasePlan; readonly theirs: BasePlan };

/** Merges that crossed again and again: deeper than this, one of the bases stands for all. */
const maxDepth = 16;

/**
 * The base for merging two revisions. Two clones that merged each other have several last common revisions, and to
 * take one of them would bring back what was deleted since the other; so those are merged first, as git's `recursive`
 * does it. In the order of their ids, so that every clone comes to the same bytes.
 */
export function planBase(parentsOf: ParentsOf, ours: string, theirs: string): BasePlan {
  const known = new Map<string, BasePlan>();

  function planFor(one: ReadonlySet<string>, other: ReadonlySet<string>, depth: number): BasePlan {
    const ids = lastOf(one.intersection(other), parentsOf).toSorted(comparePaths);
    // In a long run of crossing merges the same bases come up on many ways.
    const key = ids.join(" ");
    const plan = known.get(key) ?? planOf(ids, depth);
    known.set(key, plan);
    return plan;
  }

  function planOf([first, ...others]: readonly string[], depth: number): BasePlan {
    if (first === undefined) return { kind: "none" };
    let plan: BasePlan = { kind: "revision", id: first };
    if (depth === maxDepth) return plan;
    let behind = ancestorsOf(parentsOf, first);
    for (const id of others) {
      const behindNext = ancestorsOf(parentsOf, id);
      const base = planFor(behind, behindNext, depth + 1);
      plan = { kind: "merge", base, ours: plan, theirs: { kind: "revision", id } };
      behind = behind.union(behindNext);
    }
    return plan;
  }

  return planFor(ancestorsOf(parentsOf, ours), ancestorsOf(parentsOf, theirs), 0);
}

/** The revision itself, and all that came before it. */
export function ancestorsOf(parentsOf: ParentsOf, id: string): ReadonlySet<string> {
  const seen = new Set([id]);
  // A set is walked on while it grows.
  for (const one of seen) for (const parent of parentsOf(one)) seen.add(parent);
  return seen;
}

/** Those that no other of them comes after. The set holds the ancestors of all its members. */
function lastOf(common: ReadonlySet<string>, parentsOf: ParentsOf): string[] {
  const earlier = new Set([...common].flatMap((id) => parentsOf(id)));
  return [...common].filter((id) => !earlier.has(id));
}
