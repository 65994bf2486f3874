import type { Hunk, LineDiff } from "./diff-lines.ts";

interface UnifiedOptions {
  /** How many common lines are shown around a change. */
  readonly context?: number;
  /** The two names at its head; without them there is none. */
  readonly names?: readonly [before: string, after: string];
}

/** A diff as `diff -u` shows it and `git apply` takes it; nothing where nothing differs. */
export function unifiedText(diff: LineDiff, { context = 3, names }: UnifiedOptions = {}): string {
  if (diff.hunks.length === 0) return "";
  const shown = names ? [`--- ${names[0]}\n+++ ${names[1]}\n`] : [];
  for (const group of groupsOf(diff.hunks, context)) showGroup(group, diff, context, shown);
  return shown.join("");
}

/** Hunks whose surroundings meet are shown as one. */
function groupsOf(hunks: readonly Hunk[], context: number): Hunk[][] {
  const groups: Hunk[][] = [];
  for (const hunk of hunks) {
    const last = groups.at(-1);
    const end = last?.at(-1)?.before.to ?? Number.NEGATIVE_INFINITY;
    if (last && hunk.before.from - end <= 2 * context) last.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}

function showGroup(group: readonly Hunk[], { before, after }: LineDiff, context: number, shown: string[]): void {
  const [first, last] = [group[0] as Hunk, group.at(-1) as Hunk];
  const lead = Math.min(context, first.before.from);
  const trail = Math.min(context, before.length - last.before.to);
  const range = (side: "before" | "after") => {
    const from = first[side].from - lead;
    const length = last[side].to + trail - from;
    // An empty range names the line above it, one that is one line long its number alone.
    return length === 1 ? `${from + 1}` : `${length === 0 ? from : from + 1},${length}`;
  };
  shown.push(`@@ -${range("before")} +${range("after")} @@\n`);
  let at = first.before.from - lead;
  for (const hunk of group) {
    show(" ", before, at, hunk.before.from, shown);
    show("-", before, hunk.before.from, hunk.before.to, shown);
    show("+", after, hunk.after.from, hunk.after.to, shown);
    at = hunk.before.to;
  }
  show(" ", before, at, at + trail, shown);
}

function show(sign: string, lines: readonly string[], from: number, to: number, shown: string[]): void {
  for (let at = from; at < to; at += 1) {
    const line = lines[at] ?? "";
    shown.push(line.endsWith("\n") ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`);
  }
}
