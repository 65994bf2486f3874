import { comparePaths } from "../document-path.ts";
import type { BasePlan } from "./base-plan.ts";
import { compareVersions } from "./keep-both.ts";
import type { TreeMerge } from "./merge-trees.ts";
import type { MergePlan } from "./plan-merge.ts";
import { isSame, type Tree } from "./tree.ts";

/** `mergeTrees`, or what a facade made of it. */
export type MergeOfTrees<Merge extends TreeMerge> = (base: Tree, ours: Tree, theirs: Tree) => Merge;

/** Does what was planned. `treeOf` gives the documents of every revision that `revisionsOf` the plan names. */
export function runPlan<Merge extends TreeMerge>(
  plan: MergePlan,
  ours: Tree,
  theirs: Tree,
  treeOf: (id: string) => Tree,
  merge: MergeOfTrees<Merge>,
): Merge {
  if (plan.kind === "merge") return merge(buildBase(plan.base, treeOf, merge), ours, theirs);
  const side = plan.kind === "take" ? plan.side : isFirstTree(ours, theirs) ? "ours" : "theirs";
  const tree = side === "ours" ? ours : theirs;
  return merge(tree, tree, tree);
}

/** The documents of a planned base, each part of it merged once. */
function buildBase<Merge extends TreeMerge>(
  plan: BasePlan,
  treeOf: (id: string) => Tree,
  merge: MergeOfTrees<Merge>,
): Tree {
  const built = new Map<BasePlan, Tree>();
  const build = (part: BasePlan): Tree => {
    const tree = built.get(part) ?? buildPart(part);
    built.set(part, tree);
    return tree;
  };
  const buildPart = (part: BasePlan): Tree => {
    if (part.kind === "none") return new Map();
    if (part.kind === "revision") return treeOf(part.id);
    return merge(build(part.base), build(part.ours), build(part.theirs)).tree;
  };
  return build(plan);
}

/** An order of trees that every clone agrees on: the first path that they do not share decides. */
function isFirstTree(one: Tree, other: Tree): boolean {
  const path = [...new Set([...one.keys(), ...other.keys()])]
    .filter((name) => !isSame(one.get(name), other.get(name)))
    .toSorted(comparePaths)[0];
  if (path === undefined) return true;
  const [left, right] = [one.get(path), other.get(path)];
  return right === undefined || (left !== undefined && compareVersions(left, right) < 0);
}
