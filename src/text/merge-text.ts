import { diffOf, type Span } from "./diff-lines.ts";
import { splitLines } from "./split-lines.ts";

/** Lines that both sides changed, each in its own way. Their numbers are those of the base. */
interface ConflictRegion {
  readonly lines: Span;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

export type TextMerge =
  | { readonly kind: "merged"; readonly content: string }
  | {
      readonly kind: "conflict";
      /** The merged text, with our lines where both sides changed the same ones. */
      readonly ours: string;
      /** The same with theirs. */
      readonly theirs: string;
      readonly regions: readonly ConflictRegion[];
    };

/**
 * Three-way merge by lines. What only one side changed is taken, what both changed alike is taken once. Lines that
 * both put in at the same place are all kept: two agents that append to one note are no conflict. One is only what
 * changes the same lines of the base in two ways. Nothing depends on which side is ours, and no marker is ever written.
 */
export function mergeText(base: string, ours: string, theirs: string): TextMerge {
  if (ours === theirs || theirs === base) return { kind: "merged", content: ours };
  if (ours === base) return { kind: "merged", content: theirs };
  const lines = splitLines(ended(base));
  const regions = regionsOf(changesOf(lines, ours), changesOf(lines, theirs));
  const texts = { ours: [] as string[], theirs: [] as string[] };
  const conflicts: ConflictRegion[] = [];
  let at = 0;
  for (const [index, region] of regions.entries()) {
    const common = textOf(lines, { from: at, to: region.from });
    const next = isRepeated(region, regions[index - 1], regions[index + 1]) ? "" : resolve(region, lines);
    if (typeof next !== "string") conflicts.push(next);
    texts.ours.push(common, typeof next === "string" ? next : next.ours);
    texts.theirs.push(common, typeof next === "string" ? next : next.theirs);
    at = region.to;
  }
  const rest = textOf(lines, { from: at, to: lines.length });
  const hasEnd = mergeFlag(hasLineEnd(base), hasLineEnd(ours), hasLineEnd(theirs));
  const finish = (parts: readonly string[]) => withEnd(parts.join("") + rest, hasEnd);
  if (conflicts.length === 0) return { kind: "merged", content: finish(texts.ours) };
  return { kind: "conflict", ours: finish(texts.ours), theirs: finish(texts.theirs), regions: conflicts };
}

/** Lines of the base that one side replaced. */
interface Change extends Span {
  readonly text: string;
}

/** Changes that touch the same lines of the base. */
interface Region extends Span {
  readonly ours: readonly Change[];
  readonly theirs: readonly Change[];
}

/** A text that has no line end at its end gets one, so that a line put below it does not change the one above. */
function ended(text: string): string {
  if (hasLineEnd(text)) return text;
  return `${text}${text.includes("\r\n") ? "\r\n" : "\n"}`;
}

function hasLineEnd(text: string): boolean {
  return text === "" || text.endsWith("\n");
}

function withEnd(text: string, hasEnd: boolean): string {
  return hasEnd ? text : text.replace(/\r?\n$/, "");
}

/** Of two values, one was changed or none. */
function mergeFlag(base: boolean, ours: boolean, theirs: boolean): boolean {
  return ours === base ? theirs : ours;
}

function changesOf(base: readonly string[], side: string): Change[] {
  const { after, hunks } = diffOf(base, splitLines(ended(side)));
  return hunks.map((hunk) => ({ ...hunk.before, text: textOf(after, hunk.after) }));
}

function textOf(lines: readonly string[], { from, to }: Span): string {
  return lines.slice(from, to).join("");
}

/**
 * Both sides' changes in order, in one region where they meet: where they share a line of the base, or put lines in
 * at the same place. Changes that only lie next to each other do not meet.
 */
function regionsOf(ours: readonly Change[], theirs: readonly Change[]): Region[] {
  const regions: { from: number; to: number; ours: Change[]; theirs: Change[] }[] = [];
  let [i, j] = [0, 0];
  while (i < ours.length || j < theirs.length) {
    const side = isFirst(ours[i], theirs[j]) ? "ours" : "theirs";
    const change = (side === "ours" ? ours[i++] : theirs[j++]) as Change;
    const last = regions.at(-1);
    if (last && (change.from < last.to || (isInsertion(change) && isInsertion(last) && change.from === last.from))) {
      last.to = Math.max(last.to, change.to);
      last[side].push(change);
    } else {
      regions.push({ from: change.from, to: change.to, ours: [], theirs: [], [side]: [change] });
    }
  }
  return regions;
}

function isFirst(one: Change | undefined, other: Change | undefined): boolean {
  if (!one || !other) return one !== undefined;
  return one.from < other.from || (one.from === other.from && one.to <= other.to);
}

function isInsertion({ from, to }: Span): boolean {
  return from === to;
}

/** What becomes of a region: a text, or both where they contradict each other. */
function resolve(region: Region, lines: readonly string[]): string | ConflictRegion {
  const [ours, theirs] = [sideOf(region, region.ours, lines), sideOf(region, region.theirs, lines)];
  if (region.theirs.length === 0 || ours === theirs) return ours;
  if (region.ours.length === 0) return theirs;
  if (isInsertion(region)) return joinInsertions(ours, theirs);
  // What both only took out stays out, be it in two cuts that overlap.
  if ([...region.ours, ...region.theirs].every(({ text }) => text === "")) return "";
  return { lines: { from: region.from, to: region.to }, base: textOf(lines, region), ours, theirs };
}

function sideOf(region: Region, changes: readonly Change[], lines: readonly string[]): string {
  const parts: string[] = [];
  let at = region.from;
  for (const { from, to, text } of changes) {
    parts.push(textOf(lines, { from: at, to: from }), text);
    at = to;
  }
  parts.push(textOf(lines, { from: at, to: region.to }));
  return parts.join("");
}

/** By their text, since which side is ours says nothing; one that goes on where the other ends holds both. */
function joinInsertions(one: string, other: string): string {
  if (one.startsWith(other)) return one;
  if (other.startsWith(one)) return other;
  return one < other ? one + other : other + one;
}

/** Whether lines that one side put in stand at that place already, in a change by the other side next to it. */
function isRepeated(region: Region, above: Region | undefined, below: Region | undefined): boolean {
  if (!isInsertion(region) || (region.ours.length > 0 && region.theirs.length > 0)) return false;
  const [own, other] = region.ours.length > 0 ? (["ours", "theirs"] as const) : (["theirs", "ours"] as const);
  const text = region[own][0]?.text ?? "";
  const isBy = (one: Region | undefined) => one && one[own].length === 0 && one[other].length === 1;
  const isAbove = above?.to === region.from && isBy(above) && `\n${above[other][0]?.text}`.endsWith(`\n${text}`);
  const isBelow = below?.from === region.to && isBy(below) && below[other][0]?.text.startsWith(text);
  return Boolean(isAbove || isBelow);
}
