import { type DocumentMerge, mergeTextDocument } from "../../kernel/merge/merge-document.ts";
import { mergeTrees, type TreeMerge } from "../../kernel/merge/merge-trees.ts";
import { isSame, type Tree } from "../../kernel/merge/tree.ts";
import { type IndexRow, readRows, renderIndex, type UncountedRow } from "./index-file.ts";
import { mergeTopic } from "./merge-entries.ts";
import { parseTopicFile, pruneEntries } from "./topic-file.ts";
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

type Row = IndexRow | UncountedRow;

/**
 * Merges an index where the files that it tells of cannot be looked at, since git merges one file at a time. A row that
 * both sides changed is kept without its number: nothing in it is wrong then, and the next store makes the index anew.
 */
export function mergeIndexRows(base: string | undefined, ours: string, theirs: string): DocumentMerge {
  const around = mergeIndex(base, ours, theirs);
  const [before, mine, other] = [base ?? "", ours, theirs].map(rowsOf) as [Rows, Rows, Rows];
  const names = new Set([...before.keys(), ...mine.keys(), ...other.keys()]);
  const rows = [...names].flatMap((name) => mergeRow(before.get(name), mine.get(name), other.get(name)) ?? []);
  return { ...around, content: renderIndex(around.content, rows) };
}

type Rows = ReadonlyMap<string, Row>;

function rowsOf(text: string): Rows {
  return new Map(readRows(text).map((row) => [`${row.topic}/${row.subtopic}`, row]));
}

function mergeRow(base: Row | undefined, ours: Row | undefined, theirs: Row | undefined): Row | undefined {
  if (isSameRow(ours, theirs) || isSameRow(theirs, base)) return ours;
  if (isSameRow(ours, base)) return theirs;
  const [one, other] = [ours ?? theirs, theirs ?? ours];
  if (!one || !other) return undefined;
  const newest = [one.newest, other.newest].sort()[1] ?? "";
  return { topic: one.topic, subtopic: one.subtopic, entries: undefined, newest };
}

function isSameRow(one: Row | undefined, other: Row | undefined): boolean {
  return one?.entries === other?.entries && one?.newest === other?.newest;
}
