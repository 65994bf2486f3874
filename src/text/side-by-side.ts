import { diffLines, type Hunk } from "./diff-lines.ts";

/** A line of one side, counted from 1, without its line end. */
export interface SideLine {
  readonly line: number;
  readonly text: string;
}

/** One row of a diff side by side. */
export interface SideBySideRow {
  readonly kind: "same" | "changed" | "removed" | "added" | "skipped";
  /** Undefined where this side has none; of what is skipped, its first line, without a text. */
  readonly left: SideLine | undefined;
  readonly right: SideLine | undefined;
  /** Of what is skipped: how many lines. */
  readonly count?: number;
}

/** Lines around a change that are shown. */
const context = 3;

/** Two texts, line against line; what both have in common is skipped but for a few lines around each change. */
export function sideBySide(before: string, after: string): SideBySideRow[] {
  const diff = diffLines(before, after);
  const rows: SideBySideRow[] = [];
  const side = (lines: readonly string[], at: number): SideLine => ({
    line: at + 1,
    text: withoutEnd(lines[at] ?? ""),
  });
  const pair = (kind: SideBySideRow["kind"], left: number | undefined, right: number | undefined) =>
    rows.push({
      kind,
      left: left === undefined ? undefined : side(diff.before, left),
      right: right === undefined ? undefined : side(diff.after, right),
    });

  /** The common lines up to a hunk, or to the end. */
  function common(from: { left: number; right: number }, to: number, { isFirst = false, isLast = false } = {}): void {
    const length = to - from.left;
    const [head, tail] = [isFirst ? 0 : context, isLast ? 0 : context];
    // A row that says that one line was left out is no shorter than the line.
    const skipped = length - head - tail > 1 ? length - head - tail : 0;
    for (let at = 0; at < length; at += 1) {
      if (at === head && skipped > 0) {
        const [left, right] = [from.left + at + 1, from.right + at + 1];
        rows.push({
          kind: "skipped",
          left: { line: left, text: "" },
          right: { line: right, text: "" },
          count: skipped,
        });
        at += skipped - 1;
      } else pair("same", from.left + at, from.right + at);
    }
  }

  function changed({ before: left, after: right }: Hunk): void {
    const [removed, added] = [left.to - left.from, right.to - right.from];
    for (let at = 0; at < Math.max(removed, added); at += 1) {
      if (at >= added) pair("removed", left.from + at, undefined);
      else if (at >= removed) pair("added", undefined, right.from + at);
      else pair("changed", left.from + at, right.from + at);
    }
  }

  let at = { left: 0, right: 0 };
  for (const [index, hunk] of diff.hunks.entries()) {
    common(at, hunk.before.from, { isFirst: index === 0 });
    changed(hunk);
    at = { left: hunk.before.to, right: hunk.after.to };
  }
  if (diff.hunks.length > 0) common(at, diff.before.length, { isLast: true });
  return rows;
}

function withoutEnd(line: string): string {
  return line.replace(/\r?\n$|\r$/, "");
}
