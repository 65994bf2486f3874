import { isUtf8 } from "node:buffer";
import { originalOfConflict } from "../kernel/merge/conflict-path.ts";
import type { TreeMerge } from "../kernel/merge/merge-trees.ts";
import { type MergePlan, revisionsOf } from "../kernel/merge/plan-merge.ts";
import { type MergeOfTrees, runPlan } from "../kernel/merge/run-plan.ts";
import type { Content, Tree } from "../kernel/merge/tree.ts";
import type { NewEntry, SyncRepository } from "./repository.ts";
import { type EntryTree, isRegular, isSameEntry, type TreeEntry } from "./tree-entries.ts";
import { maxDocumentBytes } from "./working-folder.ts";

export interface MergeRequest<Merge extends TreeMerge> {
  readonly plan: MergePlan;
  readonly ours: EntryTree;
  readonly theirs: EntryTree;
  readonly merge: MergeOfTrees<Merge>;
  readonly repository: Pick<SyncRepository, "treeOf" | "contentsOf">;
}

export interface MergedRevisions<Merge extends TreeMerge> {
  readonly merged: Merge;
  /** What is other than in `ours`. */
  readonly changes: ReadonlyMap<string, NewEntry>;
  /** Whether it is what `theirs` has. */
  readonly isTheirs: boolean;
}

/**
 * Merges two revisions. Texts are merged as texts; what cannot be, or need not be since all revisions have the same, is
 * handed through as a stand-in that names the file in git.
 */
export async function mergeRevisions<Merge extends TreeMerge>(
  request: MergeRequest<Merge>,
): Promise<MergedRevisions<Merge>> {
  const { plan, ours, theirs, merge, repository } = request;
  const bases = new Map<string, EntryTree>();
  for (const id of revisionsOf(plan)) bases.set(id, await repository.treeOf(id));
  const all = [ours, theirs, ...bases.values()];
  const texts = await repository.contentsOf([...new Set(idsToRead(all))]);
  const contents = createContents(texts);
  const toTree = (entries: EntryTree): Tree => new Map([...entries].map(([path, entry]) => [path, contents.of(entry)]));
  const [mine, other] = [toTree(ours), toTree(theirs)];
  const trees = new Map([...bases].map(([id, entries]) => [id, toTree(entries)]));
  const merged = runPlan(plan, mine, other, (id) => trees.get(id) ?? new Map(), merge);
  const changes = new Map<string, NewEntry>();
  for (const path of new Set([...ours.keys(), ...merged.tree.keys()])) {
    const content = merged.tree.get(path);
    if (content === mine.get(path)) continue;
    // Its mode too, where it is a file of theirs.
    const entry = content === undefined ? undefined : content === other.get(path) ? theirs.get(path) : undefined;
    changes.set(path, entry ?? (content === undefined ? undefined : contents.entryOf(content)));
  }
  const isTheirs =
    merged.tree.size === other.size && [...merged.tree].every(([path, content]) => content === other.get(path));
  return { merged, changes, isTheirs };
}

/** Where revisions differ. A version that lies beside a document is compared by its text. */
function* idsToRead(trees: readonly EntryTree[]): Generator<string> {
  const paths = new Set(trees.flatMap((tree) => [...tree.keys()]));
  for (const path of paths) {
    const [first, ...others] = trees.map((tree) => tree.get(path));
    const isNeeded = others.some((entry) => !isSameEntry(entry, first)) || originalOfConflict(path) !== undefined;
    if (!isNeeded) continue;
    for (const entry of [first, ...others]) if (entry && isText(entry)) yield entry.id;
  }
}

function isText(entry: TreeEntry): boolean {
  return isRegular(entry) && entry.size <= maxDocumentBytes;
}

/** One object for each file, so that what is the same is found to be the same at once. */
function createContents(texts: ReadonlyMap<string, Buffer>) {
  const known = new Map<string, Content>();
  const standIns = new Map<Content, TreeEntry>();
  function of(entry: TreeEntry): Content {
    const bytes = isText(entry) ? texts.get(entry.id) : undefined;
    const isReadable = bytes !== undefined && isUtf8(bytes);
    // The mode of a text is no part of what it says.
    const key = isReadable ? entry.id : `${entry.mode} ${entry.id}`;
    const content = known.get(key) ?? (isReadable ? bytes.toString("utf8") : Buffer.from(key));
    known.set(key, content);
    if (!isReadable) standIns.set(content, entry);
    return content;
  }
  return {
    of,
    entryOf: (content: Content): NewEntry => standIns.get(content) ?? { bytes: Buffer.from(content) },
  };
}
