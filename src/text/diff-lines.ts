import { alignLines } from "./align-lines.ts";
import { splitLines } from "./split-lines.ts";

/** Lines from one number up to but without another, from 0. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Lines of the text before that lines of the text after stand for. One of the two may be empty, never both. */
export interface Hunk {
  readonly before: Span;
  readonly after: Span;
}

/** What differs between two texts, line by line; a line has its line end with it. */
export interface LineDiff {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** In order, with at least one common line between two of them. */
  readonly hunks: readonly Hunk[];
}

export function diffLines(before: string, after: string): LineDiff {
  return diffOf(splitLines(before), splitLines(after));
}

export function diffOf(before: readonly string[], after: readonly string[]): LineDiff {
  const matched = alignLines(before, after);
  const hunks: Hunk[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && matched[i] === j) {
      i += 1;
      j += 1;
      continue;
    }
    const [fromI, fromJ] = [i, j];
    while (i < before.length && matched[i] === -1) i += 1;
    j = i < before.length ? (matched[i] ?? j) : after.length;
    hunks.push({ before: { from: fromI, to: i }, after: { from: fromJ, to: j } });
  }
  return { before, after, hunks };
}
