import type { DocumentMerge } from "../history/merge/merge-document.ts";
import { type IndexRow, readRows, renderIndex, type UncountedRow } from "./index-file.ts";
import { mergeIndex } from "./merge-topics.ts";

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
  if (isSame(ours, theirs) || isSame(theirs, base)) return ours;
  if (isSame(ours, base)) return theirs;
  const [one, other] = [ours ?? theirs, theirs ?? ours];
  if (!one || !other) return undefined;
  const newest = [one.newest, other.newest].sort()[1] ?? "";
  return { topic: one.topic, subtopic: one.subtopic, entries: undefined, newest };
}

function isSame(one: Row | undefined, other: Row | undefined): boolean {
  return one?.entries === other?.entries && one?.newest === other?.newest;
}
