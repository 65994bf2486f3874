import { analyseRun } from "./analyse-run.ts";
import { type AnalysedWord, analyseWord } from "./analyse-word.ts";
import { cutLoose } from "./known-words.ts";
import { addNumber, type NumberList } from "./number-list.ts";
import { toNextWord, wordCursor } from "./scan-words.ts";
import { createWordMemory } from "./word-memory.ts";

/** The words of documents and their terms as numbers. Most words of a text were met before. */
export interface Lexicon {
  /** Adds the codes of a piece of a text: for each term its number and two marks, see below. */
  read(codes: NumberList, text: string, from?: number, to?: number): void;
  /** The terms by their numbers. Another list once they were forgotten; one that was given only grows. */
  terms(): readonly string[];
  /** Forgets all numbers where there are many, so that memory is bounded: only between documents. */
  forgetIfMany(): void;
}

/** Says too little to count in any but a unit's own text. */
export const stopMark = 1;
/** A word that was counted already, by another of its terms. */
export const otherMark = 2;
/** A code without its marks is the number of a term. */
export const markBits = 2;

/** More than most people ever write; about 40 MB where all of them are met. */
const mostWords = 1 << 18;
const mostTerms = 1 << 19;

export function createLexicon(): Lexicon {
  const known = createWordMemory(mostWords);
  let numbers = new Map<string, number>();
  let texts: string[] = [];
  const word = wordCursor(0);

  function numberOf(term: string): number {
    const found = numbers.get(term);
    if (found !== undefined) return found;
    const own = cutLoose(term);
    numbers.set(own, texts.length);
    texts.push(own);
    return texts.length - 1;
  }

  function codesOf({ parts, others, isStop }: AnalysedWord): number[] {
    const marks = isStop ? stopMark : 0;
    const codes: number[] = [];
    for (const term of parts) codes.push((numberOf(term) << markBits) | marks);
    for (const term of others) codes.push((numberOf(term) << markBits) | marks | otherMark);
    return codes;
  }

  function addNew(codes: NumberList, text: string): void {
    const { start, end, hash, isUnspaced } = word;
    const fresh = text.slice(start, end);
    const found = codesOf(isUnspaced ? analyseRun(fresh) : analyseWord(fresh));
    for (const code of found) addNumber(codes, code);
    // Runs of a script without blanks are seldom the same.
    if (!isUnspaced) known.keep(text, start, end, hash, found);
  }

  return {
    read: (codes, text, from = 0, to = text.length) => {
      word.end = from;
      while (toNextWord(word, text, to)) {
        if (word.isUnspaced || !known.addKnown(codes, text, word.start, word.end, word.hash)) addNew(codes, text);
      }
    },
    terms: () => texts,
    forgetIfMany: () => {
      if (!known.isFull() && texts.length < mostTerms) return;
      known.forget();
      numbers = new Map();
      texts = [];
    },
  };
}
