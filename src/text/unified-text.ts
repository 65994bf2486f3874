import { diffOf, type LineDiff } from "./diff-lines.ts";
import { splitLines } from "./split-lines.ts";

interface UnifiedOptions {
  /** How many common lines are shown around a change. */
  readonly context?: number;
  /** The two names at its head; without them there is none. */
  readonly names?: readonly [before: string, after: string];
  /** Common lines that are shown wherever they are, by their numbers in the text after, from 0. */
  readonly isShown?: (line: number) => boolean;
}

/** A diff as `diff -u` shows it and `git apply` takes it; nothing where nothing differs. */
export function unifiedText(diff: LineDiff, { context = 3, names, isShown }: UnifiedOptions = {}): string {
  if (diff.hunks.length === 0) return "";
  const lines = signedLines(diff);
  const shown = shownLines(lines, context, isShown);
  const parts = names ? [`--- ${names[0]}\n+++ ${names[1]}\n`] : [];
  let at = shown.indexOf(1);
  while (at !== -1) {
    const gap = shown.indexOf(0, at);
    const group = lines.slice(at, gap === -1 ? undefined : gap);
    parts.push(`@@ -${range(group, "before")} +${range(group, "after")} @@\n`);
    for (const { sign, text } of group) {
      parts.push(text.endsWith("\n") ? `${sign}${text}` : `${sign}${text}\n\\ No newline at end of file\n`);
    }
    at = gap === -1 ? -1 : shown.indexOf(1, gap);
  }
  return parts.join("");
}

/**
 * What changes in a small file, line by line for a person: line ends do not count. The spans of the text after in
 * `whole` are shown in full: what an entry keeps matters as much as what changes in it.
 */
export function unifiedLines(
  before: string,
  after: string,
  whole: readonly { readonly start: number; readonly end: number }[] = [],
): string[] {
  const lineAt = (offset: number) => after.slice(0, offset).split("\n").length - 1;
  const ranges = whole.map(({ start, end }) => ({ first: lineAt(start), last: lineAt(Math.max(start, end - 1)) }));
  const isShown = (line: number) => ranges.some(({ first, last }) => first <= line && line <= last);
  return splitLines(unifiedText(diffOf(alike(before), alike(after)), { context: 2, isShown })).map((line) =>
    line.slice(0, -1),
  );
}

function alike(text: string): string[] {
  return splitLines(text).map((line) => line.replace(/\r?\n$|$/, "\n"));
}

interface SignedLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
  /** How many lines of either text are above it. */
  readonly before: number;
  readonly after: number;
}

/** The lines of both texts, each common one once, in the order in which a diff shows them. */
function signedLines({ before, after, hunks }: LineDiff): SignedLine[] {
  const lines: SignedLine[] = [];
  let [i, j] = [0, 0];
  const common = (to: number) => {
    for (; i < to; i += 1, j += 1) lines.push({ sign: " ", text: before[i] ?? "", before: i, after: j });
  };
  for (const hunk of hunks) {
    common(hunk.before.from);
    for (; i < hunk.before.to; i += 1) lines.push({ sign: "-", text: before[i] ?? "", before: i, after: j });
    for (; j < hunk.after.to; j += 1) lines.push({ sign: "+", text: after[j] ?? "", before: i, after: j });
  }
  common(before.length);
  return lines;
}

/** 1 for each line that is shown, 0 for every other one. */
function shownLines(lines: readonly SignedLine[], context: number, isShown: UnifiedOptions["isShown"]): Uint8Array {
  const shown = new Uint8Array(lines.length);
  for (const [index, { sign, after }] of lines.entries()) {
    if (sign !== " ") shown.fill(1, Math.max(0, index - context), index + context + 1);
    else if (isShown?.(after)) shown[index] = 1;
  }
  return shown;
}

/** Of a run of lines, as `@@` has it: an empty range names the line above it, one that is one line long its number alone. */
function range(group: readonly SignedLine[], side: "before" | "after"): string {
  const other = side === "before" ? "+" : "-";
  const [from, length] = [group[0]?.[side] ?? 0, group.filter(({ sign }) => sign !== other).length];
  return length === 1 ? `${from + 1}` : `${length === 0 ? from : from + 1},${length}`;
}
