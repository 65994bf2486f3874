import { analyseRun } from "./analyse-run.ts";
import { type AnalysedWord, knownWord, termOf } from "./analyse-word.ts";
import { characterClass, classAt } from "./character-class.ts";
import { fold } from "./fold.ts";
import { scanWords } from "./scan-words.ts";
import { splitWord } from "./split-word.ts";
import { asciiCodes } from "./text-units.ts";

export interface TextRange {
  readonly from: number;
  readonly to: number;
}

type Mark = (from: number, to: number) => void;
type Visit = Parameters<typeof scanWords>[3];

const { other, joint, lower, upper } = characterClass;
/** Of ASCII. */
const classes = Uint8Array.from({ length: 128 }, (_, code) => classAt(String.fromCharCode(code), 0));
/** Set beside the code of a character that comes after a letter. */
const afterLetter = 128;
const mayBegin = 1;
/** For each character, by itself and after a letter. */
const plainSteps = Uint8Array.from({ length: 2 * afterLetter }, (_, at) => {
  const found = classes[at % afterLetter];
  return found === lower || found === upper ? afterLetter : 0;
});

/** Where words of the text are found by the terms: whole identifiers, or the parts of one that match. */
export function markTerms(text: string, terms: Iterable<string>): TextRange[] {
  return createTermMarker(terms)(text);
}

/** The same for many texts. */
export function createTermMarker(terms: Iterable<string>): (text: string) => TextRange[] {
  const wanted = new Set(terms);
  const beginnings = beginningsOf(wanted);
  return (text) => {
    const ranges: { from: number; to: number }[] = [];
    if (wanted.size === 0) return ranges;
    const mark: Mark = (from, to) => {
      const last = ranges.at(-1);
      if (last && last.to >= from) last.to = Math.max(last.to, to);
      else ranges.push({ from, to });
    };
    const visit: Visit = (start, end, _, isUnspaced) => {
      const word = text.slice(start, end);
      if (isUnspaced) markRun(word, start, wanted, mark);
      else markWord(word, start, wanted, mark);
    };
    const codes = beginnings && asciiCodes(text);
    if (beginnings && codes)
      scanAround(codes, text.length, beginnings, visit, (from, to) => scanWords(text, from, to, visit));
    else scanWords(text, 0, text.length, visit);
    return ranges;
  };
}

/** Of what lies between two characters that are in no word, only what has the beginning of a term in it is looked at. */
function scanAround(
  codes: Uint8Array,
  length: number,
  { steps, seconds, byFirst }: Beginnings,
  visitWord: Visit,
  visitWords: (from: number, to: number) => void,
): void {
  let seen = 0;
  let before = 0;
  for (let at = 0; at < length; at += 1) {
    const code = codes[at] as number;
    const step = steps[before | code] as number;
    before = step & afterLetter;
    if ((step & mayBegin) === 0 || !isOneOf(seconds[code] as number, codes, at + 1, length)) continue;
    if (!isOneAt(codes, length, at, byFirst[code])) continue;
    let [from, to] = [at, at + 1];
    while (from > seen && classes[codes[from - 1] as number] !== other) from -= 1;
    while (to < length && (classes[codes[to] as number] !== other || isSign(codes[to] as number))) to += 1;
    if (isPlainWord(codes, from, to)) visitWord(from, to, 0, false);
    else visitWords(from, to);
    at = to - 1;
    seen = to;
    before = 0;
  }
}

/** Whether a term may go on with the character there; a joint may stand before that. */
function isOneOf(following: number, codes: Uint8Array, at: number, length: number): boolean {
  if (at >= length) return true;
  const code = codes[at] as number;
  return ((following >>> (code & 31)) & 1) === 1 || classes[code] === joint;
}

/** Small letters alone, the first one aside: one word for sure. */
function isPlainWord(codes: Uint8Array, from: number, to: number): boolean {
  const first = classes[codes[from] as number];
  if (first !== lower && first !== upper) return false;
  for (let at = from + 1; at < to; at += 1) if (classes[codes[at] as number] !== lower) return false;
  return true;
}

/** Of `C++` and `C#`, which are words. */
function isSign(code: number): boolean {
  return code === 0x2b || code === 0x23;
}

const anyCharacter = -1;

interface Beginnings {
  /**
   * What comes after each character, by itself and after a letter, and whether a term may begin with it. No part of a
   * word begins with a small letter that another letter precedes, as most characters are.
   */
  readonly steps: Uint8Array;
  /** By the first character, which ones may come second, as bits: letters of either case by one, digits by that of some letter. */
  readonly seconds: Uint32Array;
  /** By their first character, of either case. */
  readonly byFirst: readonly (readonly string[] | undefined)[];
}

/**
 * How words of ASCII begin that may have one of the terms: a stem begins as its word does, but for its last letter
 * (happy, happi) or for two (dying, die). Undefined where a term is not of plain letters and digits.
 */
function beginningsOf(terms: ReadonlySet<string>): Beginnings | undefined {
  const steps = plainSteps.slice();
  const seconds = new Uint32Array(128);
  const byFirst: string[][] = new Array(128);
  for (const term of terms) {
    if (!/^[a-z0-9]+$/.test(term)) return undefined;
    const sure = /^.ie$/.test(term) ? 1 : Math.max(1, term.length - 1);
    const beginning = term.slice(0, sure);
    const second = sure > 1 ? 1 << (beginning.charCodeAt(1) & 31) : anyCharacter;
    for (const first of [beginning.charCodeAt(0), beginning.toUpperCase().charCodeAt(0)]) {
      steps[first] = (steps[first] as number) | mayBegin;
      const after = afterLetter | first;
      if (classes[first] !== lower) steps[after] = (steps[after] as number) | mayBegin;
      seconds[first] = (seconds[first] as number) | second;
      byFirst[first] = [...(byFirst[first] ?? []), beginning];
    }
  }
  return { steps, seconds, byFirst };
}

function isOneAt(codes: Uint8Array, length: number, start: number, beginnings: readonly string[] = []): boolean {
  for (const beginning of beginnings) if (isAt(codes, length, start, beginning)) return true;
  return false;
}

/** Whatever the case, and with joints between the parts of an identifier. The first character is known to fit. */
function isAt(codes: Uint8Array, length: number, start: number, beginning: string): boolean {
  let at = start + 1;
  for (let index = 1; index < beginning.length; index += 1) {
    if (at < length && classes[codes[at] as number] === joint) at += 1;
    // Sets the one bit in which small letters differ from capital ones; digits have it anyway.
    if (at >= length || ((codes[at] as number) | 0x20) !== beginning.charCodeAt(index)) return false;
    at += 1;
  }
  return true;
}

function markWord(word: string, start: number, wanted: ReadonlySet<string>, mark: Mark): void {
  const { parts, others } = knownWord(word);
  const [only] = parts;
  if (only !== undefined && parts.length === 1 && others.length === 0) {
    if (wanted.has(only)) mark(start, start + word.length);
    return;
  }
  if (!isWanted(parts, wanted) && !isWanted(others, wanted)) return;
  if (parts.length === 1 || isWanted(others, wanted)) {
    mark(start, start + word.length);
    return;
  }
  for (const part of splitWord(word)) {
    const term = termOf(fold(word.slice(part.start, part.end)));
    if (wanted.has(term)) mark(start + part.start, start + part.end);
  }
}

function isWanted(terms: AnalysedWord["parts"], wanted: ReadonlySet<string>): boolean {
  return terms.some((term) => wanted.has(term));
}

function markRun(run: string, start: number, wanted: ReadonlySet<string>, mark: Mark): void {
  const { parts } = analyseRun(run);
  let at = start;
  for (const [index, character] of Array.from(run).entries()) {
    const next = at + character.length;
    const following = run.codePointAt(next - start);
    const pairEnd = next + (following === undefined ? 0 : following > 0xffff ? 2 : 1);
    if (wanted.has(parts[index] ?? "")) mark(at, pairEnd);
    else if (wanted.has(fold(character))) mark(at, next);
    at = next;
  }
}
