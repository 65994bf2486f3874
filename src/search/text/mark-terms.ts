import { analyseRun } from "./analyse-run.ts";
import { type AnalysedWord, termOf } from "./analyse-word.ts";
import { characterClass, classAt } from "./character-class.ts";
import { fold, isAscii } from "./fold.ts";
import { knownWord } from "./known-words.ts";
import { scanWords } from "./scan-words.ts";
import { splitWord } from "./split-word.ts";

export interface TextRange {
  readonly from: number;
  readonly to: number;
}

type Mark = (from: number, to: number) => void;

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
    const visit = (start: number, end: number, _: number, isUnspaced: boolean): void => {
      const word = text.slice(start, end);
      if (isUnspaced) markRun(word, start, wanted, mark);
      else markWord(word, start, wanted, mark);
    };
    if (beginnings && isAscii(text)) scanAround(text, beginnings, visit);
    else scanWords(text, 0, text.length, visit);
    return ranges;
  };
}

/** Of what lies between two characters that are in no word, only what has the beginning of a term in it is looked at. */
function scanAround(text: string, beginnings: Beginnings, visit: Parameters<typeof scanWords>[3]): void {
  let [at, seen] = [0, 0];
  while (at < text.length) {
    const candidates = beginnings[text.charCodeAt(at)];
    if (candidates === undefined || !isOneAt(text, at, candidates)) {
      at += 1;
      continue;
    }
    let [from, to] = [at, at + 1];
    while (from > seen && classAt(text, from - 1) !== characterClass.other) from -= 1;
    while (to < text.length && (classAt(text, to) !== characterClass.other || isSign(text, to))) to += 1;
    scanWords(text, from, to, visit);
    at = to;
    seen = to;
  }
}

/** Of `C++` and `C#`, which are words. */
function isSign(text: string, at: number): boolean {
  return text[at] === "+" || text[at] === "#";
}

/** By their first character, of either case. */
type Beginnings = readonly (readonly string[] | undefined)[];

const longestBeginning = 4;

/**
 * How words of ASCII begin that may have one of the terms: a stem begins as its word does, but for its last letter
 * (happy, happi) or for two (dying, die). Undefined where a term is not of plain letters and digits.
 */
function beginningsOf(terms: ReadonlySet<string>): Beginnings | undefined {
  const beginnings: string[][] = new Array(128);
  for (const term of terms) {
    if (!/^[a-z0-9]+$/.test(term)) return undefined;
    const sure = /^.ie$/.test(term) ? 1 : Math.max(1, term.length - 1);
    const beginning = term.slice(0, Math.min(longestBeginning, sure));
    for (const first of [beginning.charCodeAt(0), beginning.toUpperCase().charCodeAt(0)]) {
      const same = beginnings[first];
      if (same) same.push(beginning);
      else beginnings[first] = [beginning];
    }
  }
  return beginnings;
}

function isOneAt(text: string, start: number, beginnings: readonly string[]): boolean {
  for (const beginning of beginnings) if (isAt(text, start, beginning)) return true;
  return false;
}

/** Whatever the case, and with joints between the parts of an identifier. The first character is known to fit. */
function isAt(text: string, start: number, beginning: string): boolean {
  let at = start + 1;
  for (let index = 1; index < beginning.length; index += 1) {
    if (at < text.length && classAt(text, at) === characterClass.joint) at += 1;
    // Sets the one bit in which small letters differ from capital ones; digits have it anyway.
    if ((text.charCodeAt(at) | 0x20) !== beginning.charCodeAt(index)) return false;
    at += 1;
  }
  return true;
}

function markWord(word: string, start: number, wanted: ReadonlySet<string>, mark: Mark): void {
  const { parts, others } = knownWord(word);
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
