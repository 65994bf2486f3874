import { characterClass, classIn } from "./character-class.ts";
import { createTextUnits, loadUnits, type TextUnits } from "./text-units.ts";
import { hashUnit } from "./word-memory.ts";

const { other, joint, unspaced } = characterClass;

/** A word of a text, as a place in it. */
export interface WordCursor {
  start: number;
  /** Where the next word is looked for. */
  end: number;
  /** Of the characters of the word; it comes for free while the word is read. */
  hash: number;
  isUnspaced: boolean;
}

type Visit = (start: number, end: number, hash: number, isUnspaced: boolean) => void;

/** Calls with the place of each word of the text, in order. */
export function scanWords(text: string, from: number, to: number, visit: Visit): void {
  const units = createTextUnits(to - from);
  loadUnits(units, text, from, to);
  const word = wordCursor();
  while (toNextWord(word, units)) visit(from + word.start, from + word.end, word.hash, word.isUnspaced);
}

export function wordCursor(): WordCursor {
  return { start: 0, end: 0, hash: 0, isUnspaced: false };
}

/**
 * Moves on to the next word; false where there is none. A word is a run of letters and digits with the joints between
 * them, so an identifier or a path is one word, and a run of a script without blanks is one.
 */
export function toNextWord(word: WordCursor, units: TextUnits): boolean {
  const { values, length } = units;
  let at = word.end;
  let found: number = other;
  for (; at < length; at += 1) {
    found = classIn(units, at);
    if (found > joint) break;
  }
  word.start = at;
  word.end = at;
  if (at >= length) return false;
  word.isUnspaced = found === unspaced;
  word.hash = 0;
  if (found === unspaced) while (at < length && classIn(units, at) === unspaced) at += 1;
  else {
    let hash = 0;
    do {
      hash = hashUnit(hash, values[at] as number);
      at += 1;
    } while (at < length && goesOn(units, at));
    if (at === word.start + 1) {
      for (const end = at + signLength(units, at); at < end; at += 1) hash = hashUnit(hash, values[at] as number);
    }
    word.hash = hash;
  }
  word.end = at;
  return true;
}

function goesOn(units: TextUnits, at: number): boolean {
  const found = classIn(units, at);
  if (found !== joint) return isWordClass(found);
  return at + 1 < units.length && isWordClass(classIn(units, at + 1)) && classIn(units, at - 1) !== joint;
}

function isWordClass(found: number): boolean {
  return found > joint && found < unspaced;
}

const hashSign = 35;
const plus = 43;

/** One letter with `++` or `#` behind it is the name of a language. */
function signLength(units: TextUnits, at: number): number {
  const { values, length } = units;
  if (at >= length) return 0;
  if (values[at] === hashSign) return at + 1 < length && isWordClass(classIn(units, at + 1)) ? 0 : 1;
  return values[at] === plus && at + 1 < length && values[at + 1] === plus ? 2 : 0;
}
