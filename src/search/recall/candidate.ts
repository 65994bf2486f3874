import type { Range } from "../best-cluster.ts";
import type { Hit } from "../search.ts";
import { toPieceText } from "./piece-text.ts";

/** A hit with the whole text of its unit. */
export interface RecallCandidate
  extends Pick<Hit, "root" | "kind" | "path" | "title" | "breadcrumb" | "date" | "lines" | "flagged"> {
  readonly text: string;
  /** What it is called; by default by its titles, and by its place as editors name one. */
  readonly called?: string;
  /** Where it matches: a long text is shown from there on, if its beginning has nothing of it. */
  readonly matches?: readonly Range[];
  readonly score?: number;
}

/** A candidate with its text as it would be shown whole. */
export interface PreparedCandidate extends RecallCandidate {
  readonly shown: string;
}

export function prepare(candidate: RecallCandidate): PreparedCandidate {
  return { ...candidate, shown: toPieceText(candidate.text, candidate.title) };
}
