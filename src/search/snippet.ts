import { maskCharacter } from "../guard/mask.ts";
import { bestCluster, clusterChars, type Range } from "./best-cluster.ts";
import type { Snippet } from "./search.ts";
import { readUnderlined } from "./units/read-heading.ts";
import { startOfCharacter } from "./whole-character.ts";

const mostChars = 240;
/** What is shown before the first match, where there is more. */
const leadChars = 60;
/** A word is cut where keeping it whole would cost more than this. */
const wordChars = 40;
const shownMask = maskCharacter.repeat(3);

/**
 * The passage of a text where most of what was looked for stands together, as one line, with the matches marked.
 * Without a match, the beginning. Takes time by the length of the text at most.
 */
export function toSnippet(text: string, matches: readonly Range[]): Snippet {
  const body = endOfHeading(text);
  const cluster = bestCluster(text, matches, body);
  const least = cluster !== undefined && cluster.from < body ? 0 : body;
  const slice = sliceAround(text, cluster ?? { from: body, to: body }, least);
  const folded = fold(text, slice);
  const marks = toMarks(folded, matches);
  const window = windowIn(folded.text, cluster === undefined ? 0 : placeOf(folded, cluster.from));
  const before = window.from > 0 || hasWords(text, least, slice.from) ? "…" : "";
  const after = window.to < folded.text.length || hasWords(text, slice.to, text.length) ? "…" : "";
  const shift = before.length - window.from;
  return {
    text: before + folded.text.slice(window.from, window.to) + after,
    marks: marks.flatMap(({ from, to }) => {
      const [start, end] = [Math.max(from, window.from), Math.min(to, window.to)];
      return start < end ? [{ from: start + shift, to: end + shift }] : [];
    }),
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

/** So much of the text, white space aside, that a window of it is full. */
function sliceAround(text: string, { from, to }: Range, least: number): Range {
  let [start, end] = [from, Math.min(to, from + clusterChars)];
  for (let room = mostChars; room > 0 && start > least; start -= 1) if (!isSpace(text, start - 1)) room -= 1;
  for (let room = mostChars + wordChars; room > 0 && end < text.length; end += 1) if (!isSpace(text, end)) room -= 1;
  return { from: startOfCharacter(text, start), to: startOfCharacter(text, end) };
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code <= 0x20 || code === 0xa0;
}

interface Folded {
  readonly text: string;
  /** Where each character of the slice is in the folded text. */
  readonly places: Int32Array;
  readonly from: number;
}

// What only sets a line apart in Markdown says nothing within one line: fences, a heading's signs, rules, the stars
// around an entry's fields. Then characters that have no width, or are no characters, and what is masked.
const unshown = new RegExp(
  [
    "^#{1,6}(?=[ \\t])",
    "(?<=(?:^|\\n)[ \\t]*)(?:(?:`{3,}|~{3,})[^`\\n]*|-{3,}[ \\t]*|={3,}[ \\t]*|\\*{3,}[ \\t]*)(?=\\n|$)",
    "(?<=(?:^|\\n)[ \\t]*)\\*\\*(?=[^*\\n]{1,40}:\\*\\*)|(?<=(?:^|\\n)[ \\t]*\\*\\*[^*\\n]{1,40}:)\\*\\*",
    // Not the blank between two words, which most of them are.
    "[\\s\\p{Cc}]{2,}|[^\\S ]|\\p{Cc}",
    "\\p{Bidi_Control}+",
    "\\p{Cs}",
    `${maskCharacter}+`,
  ].join("|"),
  "yu",
);

/** Whether a match of `unshown` may begin with the character: most that are no letters of ASCII are none either. */
function mayBeUnshown(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 0x20) return !(text.charCodeAt(at + 1) > 0x20 && text.charCodeAt(at + 1) < 0x7f);
  if (code < 0x7f) return code < 0x20 || "#`~-=*".includes(text[at] ?? "");
  if (code < 0x2000) return code <= 0xa0 || code === 0x61c || code === 0x1680;
  if (code < 0xd800) return code <= 0x206f || code === maskCode || code === 0x3000;
  return code === 0xfeff || (code < 0xe000 && !isPair(text, at));
}

const maskCode = maskCharacter.charCodeAt(0);

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff || (at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff);
}

function fold(text: string, { from, to }: Range): Folded {
  const source = text.slice(from, to);
  const places = new Int32Array(source.length + 1);
  let [folded, at] = ["", 0];
  const copy = (end: number) => {
    if (at < end && source[at] === " " && (folded === "" || folded.endsWith(" "))) places[at++] = folded.length;
    for (let index = at; index < end; index += 1) places[index] = folded.length + index - at;
    folded += source.slice(at, end);
    at = end;
  };
  for (let index = 0; index < source.length; index += 1) {
    if (!mayBeUnshown(source, index)) continue;
    unshown.lastIndex = index;
    const [what] = unshown.exec(source) ?? [];
    if (what === undefined) continue;
    copy(index);
    const instead = replacement(what, folded);
    places.fill(folded.length, at, at + what.length);
    folded += instead;
    at += what.length;
    index = at - 1;
  }
  copy(source.length);
  places[source.length] = folded.length;
  return { text: folded.trimEnd(), places, from };
}

function replacement(what: string, before: string): string {
  if (what.startsWith(maskCharacter)) return shownMask;
  if (what.startsWith("**") || /^\p{Bidi_Control}/u.test(what)) return "";
  if (/^\p{Cs}/u.test(what)) return "\ufffd";
  return before === "" || before.endsWith(" ") ? "" : " ";
}

function placeOf({ places, from, text }: Folded, at: number): number {
  const place = places[Math.min(Math.max(at - from, 0), places.length - 1)] ?? 0;
  return Math.min(place, text.length);
}

function toMarks(folded: Folded, matches: readonly Range[]): Range[] {
  const marks: { from: number; to: number }[] = [];
  const within = matches.filter(({ from, to }) => to > folded.from && from < folded.from + folded.places.length);
  for (const match of within.toSorted((a, b) => a.from - b.from)) {
    const [from, to] = [placeOf(folded, match.from), placeOf(folded, match.to)];
    const last = marks.at(-1);
    if (from >= to || folded.text.slice(from, to).includes(maskCharacter)) continue;
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
