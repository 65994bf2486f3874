import { maskCharacter } from "../guard/mask.ts";
import type { Range } from "./best-cluster.ts";
import { asciiCodes } from "./text/text-units.ts";

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

// Where a match of that may begin, found without looking at each character here: most are letters, or one blank between
// two words.
const suspect = new RegExp(
  `(?= (?![!-~])|[\\0-\\x1f\\x7f-\\xa0\\u061c\\u1680\\u2000-\\u206f\\u3000\\ufeff\\ud800-\\udfff${maskCharacter}]|\`\`|~~|--|==|\\*\\*)`,
  "g",
);

/** The end of the text where there is none. With its characters where they are ASCII. */
function nextSuspect(text: string, codes: Uint8Array | undefined, from: number): number {
  if (codes) return nextSuspectCode(codes, from, text.length);
  suspect.lastIndex = from;
  return suspect.test(text) ? suspect.lastIndex : text.length;
}

const blank = 0x20;
/** What a character of ASCII does: what only a repetition makes suspect has a number of its own from `repeated` on. */
const kinds = { none: 0, unseen: 1, blank: 2, repeated: 3 } as const;
const codeBits = 7;
const suspectPair = 128;

function kindOf(code: number): number {
  if (code < blank || code === 0x7f) return kinds.unseen;
  if (code === blank) return kinds.blank;
  const place = "`~-=*".indexOf(String.fromCharCode(code));
  return place < 0 ? kinds.none : kinds.repeated + place;
}

/**
 * By the kind of one character and the code of the next: the kind of that, and whether the first is suspect with it. It
 * is where it is not shown, a blank before one of those or before another blank, or the same sign twice.
 */
const pairs = Uint8Array.from({ length: 8 << codeBits }, (_, at) => {
  const [first, second] = [at >> codeBits, kindOf(at % (1 << codeBits))];
  const isBeforeBlank = second === kinds.blank || second === kinds.unseen;
  const isSuspect =
    first === kinds.unseen || (first === kinds.blank ? isBeforeBlank : first > kinds.blank && first === second);
  return second | (isSuspect ? suspectPair : 0);
});

/** One look into a table for each character: where a word ends is nothing that a processor could foresee. */
function nextSuspectCode(codes: Uint8Array, from: number, to: number): number {
  if (from >= to) return to;
  let kind = pairs[codes[from] as number] as number;
  for (let at = from + 1; at < to; at += 1) {
    kind = pairs[(kind << codeBits) | (codes[at] as number)] as number;
    if (kind >= suspectPair) return at - 1;
  }
  return (pairs[kind << codeBits] as number) >= suspectPair ? to - 1 : to;
}

const maskCode = maskCharacter.charCodeAt(0);

export function flatten(text: string, { from, to }: Range): FlatText {
  const source = text.slice(from, to);
  const codes = asciiCodes(source);
  const pieces: Piece[] = [];
  // Its length and end are noted apart: to look at a text that grows makes it whole each time.
  let [line, length, isAfterBlank, at] = ["", 0, true, 0];
  const append = (end: number, part: string, isShown: boolean) => {
    pieces.push({ at, place: length, isShown });
    at = end;
    if (part === "") return;
    line += part;
    length += part.length;
    isAfterBlank = part.endsWith(" ");
  };
  const copy = (end: number) => {
    if (at < end && isAfterBlank && source.charCodeAt(at) === 0x20) append(at + 1, "", false);
    if (at < end) append(end, source.slice(at, end), true);
  };
  for (let index = source.startsWith("#") ? 0 : nextSuspect(source, codes, 0); index < source.length; ) {
    const end = source.charCodeAt(index) <= 0x20 ? endOfBlanks(source, index) : endOfUnshown(source, index);
    if (end > index) {
      copy(index);
      append(end, replacement(source, index, end) ?? (isAfterBlank ? "" : " "), false);
    }
    index = nextSuspect(source, codes, Math.max(end, index + 1));
  }
  copy(source.length);
  return { text: line.trimEnd(), from, to, pieces };
}

/** Where a place of the text is in the line. */
export function placeIn({ text, from, to, pieces }: FlatText, place: number): number {
  const at = Math.min(Math.max(place, from), to) - from;
  let last = pieces.length - 1;
  while (last >= 0 && (pieces[last] as Piece).at > at) last -= 1;
  const piece = pieces[last];
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
