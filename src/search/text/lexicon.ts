import { analyseRun } from "./analyse-run.ts";
import { type AnalysedWord, analyseWord } from "./analyse-word.ts";
import { cutLoose } from "./known-words.ts";
import { scanWords } from "./scan-words.ts";

/**
 * The words of documents and their terms as numbers. Most words of a text were met before: they are found by the hash
 * that reading them gives, in one typed array, without being cut out of the text. That is most of the speed of
 * building an index.
 */
export interface Lexicon {
  /** Adds the codes of a piece of a text: for each term its number and two marks, see below. */
  read(codes: Codes, text: string, from?: number, to?: number): void;
  /** The term of a number. */
  textOf(term: number): string;
  /** How many numbers are given. */
  count(): number;
  /** Forgets all numbers where there are many, so that memory is bounded: only between documents. */
  forgetIfMany(): void;
}

/** Says too little to count in any but a unit's own text. */
export const stopMark = 1;
/** A word that was counted already, by another of its terms. */
export const otherMark = 2;
/** A code without its marks is the number of a term. */
export const markBits = 2;

export interface Codes {
  values: Int32Array;
  length: number;
}

const longestKept = 40;
const mostWords = 1 << 15;
const slotCount = 2 * mostWords;
const mostTerms = 1 << 17;
/** A slot: the word's hash, where its characters are, their number (0 for an empty slot), and its code. */
const slotSize = 4;

export function createLexicon(): Lexicon {
  let slots = new Int32Array(0);
  let characters = new Uint16Array(1 << 12);
  let characterCount = 0;
  let wordCount = 0;
  /** The codes of words that have more than one; their slots have the complement of the place here. */
  let expansions: Int32Array[] = [];
  let numbers = new Map<string, number>();
  let texts: string[] = [];

  function numberOf(term: string): number {
    const found = numbers.get(term);
    if (found !== undefined) return found;
    const own = cutLoose(term);
    numbers.set(own, texts.length);
    texts.push(own);
    return texts.length - 1;
  }

  function codesOf({ parts, others, isStop }: AnalysedWord): Int32Array {
    const codes = new Int32Array(parts.length + others.length);
    for (const [index, term] of parts.entries()) codes[index] = (numberOf(term) << markBits) | (isStop ? stopMark : 0);
    for (const [index, term] of others.entries()) {
      codes[parts.length + index] = (numberOf(term) << markBits) | (isStop ? stopMark : 0) | otherMark;
    }
    return codes;
  }

  function isAt(text: string, start: number, place: number, length: number): boolean {
    for (let at = 0; at < length; at += 1) {
      if (text.charCodeAt(start + at) !== characters[place + at]) return false;
    }
    return true;
  }

  function keep(slot: number, hash: number, word: string, codes: Int32Array): void {
    const place = characterCount;
    characterCount += word.length;
    if (characterCount > characters.length) characters = grown(characters, Uint16Array, characterCount);
    for (let at = 0; at < word.length; at += 1) characters[place + at] = word.charCodeAt(at);
    slots[slot] = hash;
    slots[slot + 1] = place;
    slots[slot + 2] = word.length;
    slots[slot + 3] = codes.length === 1 ? (codes[0] as number) : ~expansions.length;
    if (codes.length !== 1) expansions.push(codes);
    wordCount += 1;
  }

  function addWord(codes: Codes, text: string, start: number, end: number, hash: number): void {
    const length = end - start;
    let slot = (hash & (slotCount - 1)) * slotSize;
    for (; slots[slot + 2] !== 0; slot = (slot + slotSize) & (slotCount * slotSize - 1)) {
      if (slots[slot] !== hash || slots[slot + 2] !== length) continue;
      if (!isAt(text, start, slots[slot + 1] as number, length)) continue;
      const code = slots[slot + 3] as number;
      if (code >= 0) push(codes, code);
      else pushAll(codes, expansions[~code] as Int32Array);
      return;
    }
    const word = text.slice(start, end);
    const found = codesOf(analyseWord(word));
    pushAll(codes, found);
    // In a text of very many words the last ones are not kept: a full table would never end a search.
    if (length <= longestKept && wordCount < mostWords) keep(slot, hash, word, found);
  }

  function forget(): void {
    slots = new Int32Array(slotCount * slotSize);
    characterCount = 0;
    wordCount = 0;
    expansions = [];
    numbers = new Map();
    texts = [];
  }

  return {
    read: (codes, text, from = 0, to = text.length) => {
      if (slots.length === 0) forget();
      scanWords(text, from, to, (start, end, hash, isUnspaced) => {
        if (isUnspaced) pushAll(codes, codesOf(analyseRun(text.slice(start, end))));
        else addWord(codes, text, start, end, hash);
      });
    },
    textOf: (term) => texts[term] as string,
    count: () => texts.length,
    forgetIfMany: () => {
      if (wordCount >= mostWords || texts.length >= mostTerms) forget();
    },
  };
}

function push(codes: Codes, code: number): void {
  if (codes.length === codes.values.length) codes.values = grown(codes.values, Int32Array, codes.length + 1);
  codes.values[codes.length] = code;
  codes.length += 1;
}

function pushAll(codes: Codes, added: Int32Array): void {
  for (const code of added) push(codes, code);
}

/** A copy with room for more. */
export function grown<Values extends Int32Array | Uint16Array | Float64Array>(
  values: Values,
  type: new (length: number) => Values,
  least: number,
): Values {
  const larger = new type(Math.max(least, 2 * values.length));
  larger.set(values);
  return larger;
}
