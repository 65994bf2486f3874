import { maskCharacter } from "../guard/mask.ts";
import { ascending, bestCluster, clusterChars, type Range } from "./best-cluster.ts";
import { type FlatText, flatten, placeIn } from "./flat-text.ts";
import type { Snippet } from "./search.ts";
import { asciiCodes } from "./text/text-units.ts";
import { readUnderlined } from "./units/read-heading.ts";
import { startOfCharacter } from "./whole-character.ts";

const mostChars = 240;
/** What is shown before the first match, where there is more. */
const leadChars = 60;
/** A word is cut where keeping it whole would cost more than this. */
const wordChars = 40;

/**
 * The passage of a text where most of what was looked for stands together, as one line, with the matches marked.
 * Without a match, the beginning. Takes time by the length of the text at most.
 */
export function toSnippet(text: string, matches: readonly Range[]): Snippet {
  const body = endOfHeading(text);
  const cluster = bestCluster(text, matches, body);
  const least = cluster !== undefined && cluster.from < body ? 0 : body;
  const slice = sliceAround(text, cluster ?? { from: body, to: body }, least);
  const folded = flatten(text, slice);
  const marks = toMarks(folded, matches);
  const window = windowIn(folded.text, cluster === undefined ? 0 : placeIn(folded, cluster.from));
  const before = window.from > 0 || hasWords(text, least, slice.from) ? "…" : "";
  const after = window.to < folded.text.length || hasWords(text, slice.to, text.length) ? "…" : "";
  const shift = before.length - window.from;
  return {
    text: before + folded.text.slice(window.from, window.to) + after,
    marks: marks
      .filter(({ from, to }) => Math.max(from, window.from) < Math.min(to, window.to))
      .map(({ from, to }) => ({ from: Math.max(from, window.from) + shift, to: Math.min(to, window.to) + shift })),
  };
}

/** The title is shown beside a snippet: its line is part of one only where nothing else matches. */
function endOfHeading(text: string): number {
  const start = text.slice(0, 2_000);
  const [heading = ""] = /^\s*#{1,6}[ \t][^\n]*(?:\n|$)/.exec(start) ?? underlinedIn(start);
  return heading.length < text.length ? heading.length : 0;
}

function underlinedIn(start: string): readonly string[] {
  const [all = "", above = "", below = ""] = /^(?:[^\S\n]*\n)*([^\n]+)\n([^\n]+)(?:\n|$)/.exec(start) ?? [];
  return readUnderlined(above, below) === undefined ? [] : [all];
}

/** So much of the text, white space aside, that a window of it is full; before it only what may be shown. */
function sliceAround(text: string, { from, to }: Range, least: number): Range {
  const { end, isFull } = endOfWindow(text, Math.min(to, from + clusterChars));
  let start = from;
  let before = isFull ? leadChars + 2 * wordChars : mostChars;
  // What is shorter than that anyway needs no counting.
  if (start - least < before) start = Math.min(start, least);
  for (; before > 0 && start > least; start -= 1) if (!isSpace(text, start - 1)) before -= 1;
  return { from: startOfCharacter(text, start), to: startOfCharacter(text, end) };
}

/** Past so many characters that are no white space, or at the end of the text, where it has fewer. */
function endOfWindow(text: string, from: number): { readonly end: number; readonly isFull: boolean } {
  let [end, after] = [from, mostChars + wordChars];
  if (text.length - end < after) return { end: text.length, isFull: false };
  const codes = asciiCodes(text);
  if (codes) for (; after > 0 && end < text.length; end += 1) after -= (codes[end] as number) > 0x20 ? 1 : 0;
  else for (; after > 0 && end < text.length; end += 1) if (!isSpace(text, end)) after -= 1;
  return { end, isFull: after === 0 };
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code <= 0x20 || code === 0xa0;
}

function toMarks(folded: FlatText, matches: readonly Range[]): Range[] {
  const marks: { from: number; to: number }[] = [];
  for (const match of ascending(matches, Number.POSITIVE_INFINITY)) {
    if (match.to <= folded.from || match.from > folded.to) continue;
    const from = placeIn(folded, match.from);
    const to = placeIn(folded, match.to);
    if (from >= to || folded.text.slice(from, to).includes(maskCharacter)) continue;
    const last = marks.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else marks.push({ from, to });
  }
  return marks;
}

/** About 240 characters with the place early in them, from the beginning of a word to the end of one. */
function windowIn(text: string, place: number): Range {
  const earliest = Math.max(0, Math.min(place - leadChars, text.length - mostChars));
  const from = earliest === 0 ? 0 : wordStart(text, earliest, Math.min(place, earliest + wordChars));
  const to = Math.min(text.length, from + mostChars);
  return { from, to: to === text.length ? to : wordEnd(text, to, Math.max(place, to - wordChars)) };
}

function wordStart(text: string, earliest: number, latest: number): number {
  const blank = text.indexOf(" ", earliest - 1);
  return blank >= 0 && blank < latest ? blank + 1 : startOfCharacter(text, earliest);
}

function wordEnd(text: string, latest: number, earliest: number): number {
  const blank = text.lastIndexOf(" ", latest);
  const end = blank > earliest ? blank : startOfCharacter(text, latest);
  return end > earliest ? end : latest;
}

function hasWords(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (!isSpace(text, at)) return true;
  return false;
}
