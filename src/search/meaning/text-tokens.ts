import { normaliseText, splitRun, type WordRules } from "./split-words.ts";
import type { Vocabulary } from "./vocabulary.ts";

export interface TextTokensOptions {
  readonly vocabulary: Vocabulary;
  readonly rules: WordRules;
  /** In characters; a longer word is unknown. */
  readonly longestWord: number;
  readonly unknown: number;
  /** How many runs of text are remembered with their tokens. */
  readonly remembered?: number;
}

/** Gives the numbers of a text's tokens, at most `most` of them. */
export type TextTokens = (text: string, most: number) => number[];

const longestRemembered = 40;
/** Enough for hundreds of tokens of anything that people write; a megabyte is not cleaned and split for them. */
const mostCharacters = 65_536;

/**
 * Most of the work is looking words up, and most words come again, so the tokens of each word are remembered, and
 * those of each run between white space: prose repeats runs, code repeats words in ever new ones.
 */
export function createTextTokens(options: TextTokensOptions): TextTokens {
  const { vocabulary, rules, longestWord, unknown, remembered = 32_768 } = options;

  function tokensOfWord(word: string): readonly number[] {
    // Twice as long in UTF-16 it may still have few enough characters.
    const isTooLong = word.length > longestWord && (word.length > 2 * longestWord || [...word].length > longestWord);
    return (isTooLong ? undefined : vocabulary.pieces(word)) ?? [unknown];
  }

  const words = createMemory(remembered, tokensOfWord);
  const runs = createMemory(remembered, (run) => {
    const parts = splitRun(run, rules);
    return parts.length === 1 ? words(parts[0] as string) : parts.flatMap(words);
  });

  return (text, most) => {
    const tokens: number[] = [];
    for (const run of normaliseText(text.slice(0, mostCharacters), rules).split(/\s+/)) {
      if (run === "") continue;
      for (const token of runs(run)) {
        if (tokens.length === most) return tokens;
        tokens.push(token);
      }
    }
    return tokens;
  };
}

/** Remembers what was made of short keys. When there are too many all are forgotten: the frequent ones are back at once. */
function createMemory(most: number, make: (key: string) => readonly number[]): (key: string) => readonly number[] {
  const known = new Map<string, readonly number[]>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = make(key);
    if (key.length <= longestRemembered) {
      if (known.size >= most) known.clear();
      known.set(ownCopy(key), made);
    }
    return made;
  };
}

/** A part of a string keeps the whole of it in memory; from 13 characters on V8 does not copy by itself. */
function ownCopy(part: string): string {
  return part.length < 13 ? part : Buffer.from(part, "utf16le").toString("utf16le");
}
