import { comparePaths } from "../document-path.ts";
import { createDraftTree } from "./draft-tree.ts";
import { findRenames } from "./find-renames.ts";
import { keepBoth } from "./keep-both.ts";
import { type MergeDocument, mergeTextDocument } from "./merge-document.ts";
import { resolveNameClashes } from "./name-clashes.ts";
import { type Content, isSame, type Tree } from "./tree.ts";
import type { TreeConflict } from "./tree-conflict.ts";

export interface TreeMerge {
  readonly tree: Tree;
  /** In the order of their paths. */
  readonly conflicts: readonly TreeConflict[];
}

/**
 * Merges two trees by the one that they come from. Pure, total, and the same whichever side is ours: two clones that
 * merge the same revisions get the same bytes, and so agree without asking each other.
 */
export function mergeTrees(
  base: Tree,
  ours: Tree,
  theirs: Tree,
  mergeDocument: MergeDocument = (_, before, one, other) => mergeTextDocument(before, one, other),
): TreeMerge {
  const conflicts: TreeConflict[] = [];
  const sides = followRenames(base, ours, theirs, conflicts);
  const draft = createDraftTree();
  const besides: { path: string; content: Content }[] = [];
  const paths = new Set([...sides.base.keys(), ...sides.ours.keys(), ...sides.theirs.keys()]);
  for (const path of [...paths].toSorted(comparePaths)) {
    const merged = mergeAt(path, sides, mergeDocument, conflicts);
    if (merged.content !== undefined) draft.documents.set(path, merged.content);
    if (merged.beside !== undefined) besides.push({ path, content: merged.beside });
  }
  for (const { path, content } of besides) {
    conflicts.push({ kind: "both-changed", path, beside: draft.placeBeside(path, content) });
  }
  const all = conflicts.concat(resolveNameClashes(draft, base, [ours, theirs]));
  return { tree: draft.documents, conflicts: all.toSorted((one, other) => comparePaths(one.path, other.path)) };
}

interface Sides {
  readonly base: Tree;
  readonly ours: Tree;
  readonly theirs: Tree;
}

/** Where one side renamed what the other changed, the change goes to the new name. */
function followRenames(base: Tree, ours: Tree, theirs: Tree, conflicts: TreeConflict[]): Sides {
  const [before, mine, other] = [new Map(base), new Map(ours), new Map(theirs)];
  const byThem = new Map(findRenames(base, theirs).map(({ from, to }) => [from, to]));
  const byUs = findRenames(base, ours);
  const follow = (from: string, to: string, side: Map<string, Content>) => {
    const changed = side.get(from);
    if (changed === undefined || side.has(to) || isSame(changed, base.get(from))) return;
    for (const tree of [before, side]) {
      tree.set(to, tree.get(from) as Content);
      tree.delete(from);
    }
  };
  for (const { from, to } of byUs) {
    follow(from, to, other);
    const twin = byThem.get(from);
    if (twin === undefined || twin === to) continue;
    const [path, beside] = [to, twin].toSorted(comparePaths) as [string, string];
    conflicts.push({ kind: "renamed-twice", path, beside });
  }
  for (const [from, to] of byThem) follow(from, to, mine);
  return { base: before, ours: mine, theirs: other };
}

function mergeAt(
  path: string,
  sides: Sides,
  mergeDocument: MergeDocument,
  conflicts: TreeConflict[],
): { content?: Content | undefined; beside?: Content } {
  const [base, ours, theirs] = [sides.base.get(path), sides.ours.get(path), sides.theirs.get(path)];
  if (isSame(ours, theirs) || isSame(theirs, base)) return { content: ours };
  if (isSame(ours, base)) return { content: theirs };
  if (ours === undefined || theirs === undefined) {
    conflicts.push({ kind: "deleted-and-changed", path });
    return { content: ours ?? theirs };
  }
  if (typeof ours !== "string" || typeof theirs !== "string") return keepBoth<Content>(ours, theirs);
  const merged = mergeDocument(path, typeof base === "string" ? base : undefined, ours, theirs);
  if (merged.doubled?.length) conflicts.push({ kind: "entries-doubled", path, titles: merged.doubled });
  return merged;
}
