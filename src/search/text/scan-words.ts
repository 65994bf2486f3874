import { characterClass, classAt } from "./character-class.ts";
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
  const word = wordCursor(from);
  while (toNextWord(word, text, to)) visit(word.start, word.end, word.hash, word.isUnspaced);
}

export function wordCursor(from: number): WordCursor {
  return { start: from, end: from, hash: 0, isUnspaced: false };
}

/**
 * Moves on to the next word before `to`; false where there is none. A word is a run of letters and digits with the
 * joints between them, so an identifier or a path is one word, and a run of a script without blanks is one.
 */
export function toNextWord(word: WordCursor, text: string, to: number): boolean {
  let at = word.end;
  let found: number = other;
  while (at < to) {
    found = classAt(text, at);
    if (found > joint) break;
    at += 1;
  }
  word.start = at;
  word.end = at;
  if (at >= to) return false;
  word.isUnspaced = found === unspaced;
  if (found === unspaced) {
    while (at < to && classAt(text, at) === unspaced) at += 1;
    word.hash = 0;
    word.end = at;
    return true;
  }
  let hash = 0;
  do {
    hash = hashUnit(hash, text.charCodeAt(at));
    at += 1;
  } while (at < to && goesOn(text, at, to));
  if (at === word.start + 1) {
    for (const end = at + signLength(text, at, to); at < end; at += 1) {
      hash = hashUnit(hash, text.charCodeAt(at));
    }
  }
  word.hash = hash;
  word.end = at;
  return true;
}

function goesOn(text: string, at: number, to: number): boolean {
  const found = classAt(text, at);
  if (found !== joint) return isWordClass(found);
  return at + 1 < to && isWordClass(classAt(text, at + 1)) && classAt(text, at - 1) !== joint;
}

function isWordClass(found: number): boolean {
  return found > joint && found < unspaced;
}

/** One letter with `++` or `#` behind it is the name of a language. */
function signLength(text: string, at: number, to: number): number {
  if (at >= to) return 0;
  if (text.charCodeAt(at) === 35) return at + 1 < to && isWordClass(classAt(text, at + 1)) ? 0 : 1;
  return text.startsWith("++", at) && at + 2 <= to ? 2 : 0;
}
