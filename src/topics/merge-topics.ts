import { type DocumentMerge, mergeTextDocument } from "../history/merge/merge-document.ts";
import { mergeTrees, type TreeMerge } from "../history/merge/merge-trees.ts";
import { isSame, type Tree } from "../history/merge/tree.ts";
import { renderIndex } from "./index-file.ts";
import { mergeTopic } from "./merge-entries.ts";
import { pruneEntries } from "./prune.ts";
import { parseTopicFile } from "./topic-file.ts";
import { indexPath, nameOfTopicPath, topicOfArchivePath } from "./topic-paths.ts";

export interface TopicsMerge extends TreeMerge {
  /** Topics that are over the limits of TOP-4 now. To prune them is a change of its own, after the merge. */
  readonly toPrune: readonly string[];
}

/**
 * Merges two revisions of a folder of topics. The index between its markers is empty or of one side only: it is made
 * from the topics, by whoever has pruned them.
 */
export function mergeTopics(base: Tree, ours: Tree, theirs: Tree): TopicsMerge {
  const merged = mergeTrees(base, ours, theirs, mergeTopicDocument);
  const toPrune = [...merged.tree].flatMap(([path, content]) => {
    const isNew = !isSame(content, ours.get(path)) && !isSame(content, theirs.get(path));
    return isNew && typeof content === "string" && nameOfTopicPath(path) && isOverLimit(content) ? [path] : [];
  });
  return { ...merged, toPrune };
}

/** Merges one document of a folder of topics, by what its path says it is. */
export function mergeTopicDocument(
  path: string,
  base: string | undefined,
  ours: string,
  theirs: string,
): DocumentMerge {
  if (path === indexPath) return mergeIndex(base, ours, theirs);
  if (nameOfTopicPath(path) || topicOfArchivePath(path) !== undefined) return mergeTopic(base, ours, theirs);
  return mergeTextDocument(base, ours, theirs);
}

/** What people wrote around the markers, as text; between them there is nothing, until the index is made again. */
export function mergeIndex(base: string | undefined, ours: string, theirs: string): DocumentMerge {
  const withoutRows = (text: string) => renderIndex(text, []);
  return mergeTextDocument(base === undefined ? undefined : withoutRows(base), withoutRows(ours), withoutRows(theirs));
}

function isOverLimit(text: string): boolean {
  return pruneEntries(parseTopicFile(text)).pruned.length > 0;
}
