import { addNumber, createNumberList, type NumberList } from "../text/number-list.ts";
import { createTextUnits, loadUnits } from "../text/text-units.ts";
import { createWordMemory, hashUnit } from "../text/word-memory.ts";
import type { Vocabulary } from "./vocabulary.ts";

export interface TextTokensOptions {
  readonly vocabulary: Vocabulary;
  readonly rules: WordRules;
  /** In characters; a longer word is unknown. */
  readonly longestWord: number;
  readonly unknown: number;
}

/** Gives the numbers of a text's tokens, at most `most` of them. */
export type TextTokens = (text: string, most: number) => number[];

/** How many runs of text are remembered with their tokens. */
const mostRuns = 1 << 17;
/** Enough for hundreds of tokens of anything that people write; a megabyte is not cleaned and split for them. */
const mostCharacters = 65_536;

/**
 * Most of the work is looking words up, and most words come again, so the tokens of each run between white space are
 * remembered.
 */
export function createTextTokens({ vocabulary, rules, longestWord, unknown }: TextTokensOptions): TextTokens {
  const known = createWordMemory(mostRuns);
  const list = createNumberList();
  const units = createTextUnits(1 << 12);

  function tokensOfWord(word: string): readonly number[] {
    // Twice as long in UTF-16 it may still have few enough characters.
    const isTooLong = word.length > longestWord && (word.length > 2 * longestWord || [...word].length > longestWord);
    return (isTooLong ? undefined : vocabulary.pieces(word)) ?? [unknown];
  }

  function addRun(text: string, start: number, end: number, hash: number): void {
    if (known.addKnown(list, units, start, end, hash)) return;
    const tokens = splitRun(text.slice(start, end), rules).flatMap(tokensOfWord);
    for (const token of tokens) addNumber(list, token);
    if (known.isFull()) known.forget();
    known.keep(units, start, end, hash, tokens);
  }

  return (given, most) => {
    const text = normaliseText(given.slice(0, mostCharacters), rules);
    list.length = 0;
    loadUnits(units, text, 0, text.length);
    for (let at = 0; at < text.length && list.length < most; at += 1) {
      const start = at;
      let hash = 0;
      for (; at < text.length; at += 1) {
        const unit = units.values[at] as number;
        if (isWhite(unit)) break;
        hash = hashUnit(hash, unit);
      }
      if (at > start) addRun(text, start, at, hash);
    }
    return firstOf(list, most);
  };
}

function firstOf({ values, length }: NumberList, most: number): number[] {
  const first: number[] = [];
  for (let at = 0; at < length && at < most; at += 1) first.push(values[at] as number);
  return first;
}

/** As `\s` has it. */
function isWhite(unit: number): boolean {
  if (unit < 128) return unit === 32 || (unit >= 9 && unit <= 13);
  return unit === 0xa0 || (unit >= 0x1680 && otherWhite.includes(unit));
}

const otherWhite: readonly number[] = [
  ...[0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a],
  ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff],
];

interface WordRules {
  /** Makes `get user name` of `getUserName`. */
  readonly splitsCamelCase: boolean;
  readonly lowerCases: boolean;
}

const nonAscii = /[^\0-\x7f]/;
const camelBorder = /([a-z0-9])([A-Z])/g;
const control = /[^\P{C}\t\n\r]|\ufffd/gu;
// The ranges that BERT calls Chinese characters: no kana, no hangul.
const ideograph =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;
const nonspacingMark = /\p{Mn}/gu;
const asciiPart = /[!-/:-@[-`{-~]|[^!-/:-@[-`{-~]+/g;
const unicodePart = /[!-/:-@[-`{-~\p{P}]|[^!-/:-@[-`{-~\p{P}]+/gu;

/** The text in which words are looked for: what is not ASCII is cleaned of what the vocabulary does not tell apart. */
function normaliseText(text: string, { splitsCamelCase, lowerCases }: WordRules): string {
  if (!nonAscii.test(text)) return text;
  const split = splitsCamelCase ? text.replace(camelBorder, "$1 $2") : text;
  const spaced = (lowerCases ? split.toLowerCase() : split).replace(control, "").replace(ideograph, " $& ");
  return lowerCases ? spaced.normalize("NFD").replace(nonspacingMark, "") : spaced;
}

/** The words of one run of normalised text without white space; each punctuation character is a word. */
function splitRun(run: string, { splitsCamelCase, lowerCases }: WordRules): readonly string[] {
  const split = splitsCamelCase ? run.replace(camelBorder, "$1 $2") : run;
  const words: string[] = [];
  for (const part of (lowerCases ? split.toLowerCase() : split).split(" ")) {
    words.push(...(part.match(nonAscii.test(part) ? unicodePart : asciiPart) ?? []));
  }
  return words;
}
