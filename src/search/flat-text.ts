import { maskCharacter } from "../guard/mask.ts";
import type { Range } from "./best-cluster.ts";

/** A part of a text in Markdown, as one line. */
export interface FlatText {
  readonly text: string;
  /** Where the part begins and ends. */
  readonly from: number;
  readonly to: number;
  /** Ascending: each goes up to the next one. */
  readonly pieces: readonly Piece[];
}

interface Piece {
  /** Where it begins in the part, and in the line. */
  readonly at: number;
  readonly place: number;
  /** False for what became a blank, or nothing. */
  readonly isShown: boolean;
}

const shownMask = maskCharacter.repeat(3);

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

const mayBegin = new Uint8Array(0x7f);
for (const sign of "#`~-=*") mayBegin[sign.charCodeAt(0)] = 1;

/** Whether a match of `unshown` may begin with the character: most that are no letters of ASCII are none either. */
function mayBeUnshown(text: string, at: number, code: number): boolean {
  // One blank between two words: most that are no letters.
  if (code === 0x20 && text.charCodeAt(at + 1) > 0x20 && text.charCodeAt(at + 1) < 0x7f) return false;
  if (code < 0x7f) return code <= 0x20 || mayBegin[code] === 1;
  if (code < 0x2000) return code <= 0xa0 || code === 0x61c || code === 0x1680;
  if (code < 0xd800) return code <= 0x206f || code === maskCode || code === 0x3000;
  return code === 0xfeff || (code < 0xe000 && !isPair(text, at));
}

const maskCode = maskCharacter.charCodeAt(0);

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff || (at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff);
}

export function flatten(text: string, { from, to }: Range): FlatText {
  const source = text.slice(from, to);
  const pieces: Piece[] = [];
  const parts: string[] = [];
  // Counted apart: to look at a text that grows makes it whole each time.
  let [length, isAfterBlank, at] = [0, true, 0];
  const append = (end: number, part: string, isShown: boolean) => {
    pieces.push({ at, place: length, isShown });
    at = end;
    if (part === "") return;
    parts.push(part);
    length += part.length;
    isAfterBlank = part.endsWith(" ");
  };
  const copy = (end: number) => {
    if (at < end && isAfterBlank && source.charCodeAt(at) === 0x20) append(at + 1, "", false);
    if (at < end) append(end, source.slice(at, end), true);
  };
  for (let index = 0; index < source.length; index += 1) {
    const code = source.charCodeAt(index);
    if (!mayBeUnshown(source, index, code)) continue;
    const end = code <= 0x20 ? endOfBlanks(source, index) : endOfUnshown(source, index);
    if (end === index) continue;
    copy(index);
    append(end, replacement(source, index, end) ?? (isAfterBlank ? "" : " "), false);
    index = end - 1;
  }
  copy(source.length);
  return { text: parts.join("").trimEnd(), from, to, pieces };
}

/** Where a place of the text is in the line. */
export function placeIn({ text, from, to, pieces }: FlatText, place: number): number {
  const at = Math.min(Math.max(place, from), to) - from;
  const piece = pieces.findLast((one) => one.at <= at);
  if (!piece) return 0;
  const isPastEnd = at === to - from && !piece.isShown;
  return isPastEnd ? text.length : Math.min(piece.isShown ? piece.place + at - piece.at : piece.place, text.length);
}

/** The place itself where nothing that is not shown begins there. */
function endOfUnshown(text: string, at: number): number {
  unshown.lastIndex = at;
  return unshown.test(text) ? unshown.lastIndex : at;
}

/** The same for blanks of ASCII, which nearly all are: one alone between two words is shown. */
function endOfBlanks(text: string, at: number): number {
  let end = at;
  while (isBlank(text.charCodeAt(end))) end += 1;
  const next = text.charCodeAt(end);
  if (next <= 0x20 || next >= 0x7f) return endOfUnshown(text, at);
  return end === at + 1 && text.charCodeAt(at) === 0x20 ? at : end;
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** Undefined for what becomes a blank. */
function replacement(text: string, from: number, to: number): string | undefined {
  const code = text.charCodeAt(from);
  if (code <= 0x20) return undefined;
  if (code < 0x7f) return to - from === 2 && text.startsWith("**", from) ? "" : undefined;
  if (code === maskCode) return shownMask;
  const first = String.fromCodePoint(text.codePointAt(from) ?? 0);
  if (/\p{Bidi_Control}/u.test(first)) return "";
  return /\p{Cs}/u.test(first) ? "\ufffd" : undefined;
}
