import { analyseRun } from "./analyse-run.ts";
import { type AnalysedWord, analyseWord, cutLoose } from "./analyse-word.ts";
import { addNumber, type NumberList } from "./number-list.ts";
import { toNextWord, wordCursor } from "./scan-words.ts";
import { createTextUnits, loadUnits } from "./text-units.ts";
import { createWordMemory } from "./word-memory.ts";

/** The words of documents and their terms as numbers. Most words of a text were met before. */
export interface Lexicon {
  /** Adds the codes of a piece of a text: for each term its number and two marks, see below. */
  read(codes: NumberList, text: string, from?: number, to?: number): void;
  /** The same for a text whose words will hardly come again, such as the name of a document: they are not remembered. */
  readOnce(codes: NumberList, text: string): void;
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
  const units = createTextUnits(1 << 12);
  const word = wordCursor();

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

  function addNew(codes: NumberList, fresh: string, isKept: boolean): void {
    const { start, end, hash, isUnspaced } = word;
    const found = codesOf(isUnspaced ? analyseRun(fresh) : analyseWord(fresh));
    for (const code of found) addNumber(codes, code);
    // Runs of a script without blanks are seldom the same.
    if (isKept && !isUnspaced) known.keep(units, start, end, hash, found);
  }

  function read(codes: NumberList, text: string, from: number, to: number, isKept: boolean): void {
    loadUnits(units, text, from, to);
    word.end = 0;
    while (toNextWord(word, units)) {
      const { start, end, hash, isUnspaced } = word;
      if (!isUnspaced && known.addKnown(codes, units, start, end, hash)) continue;
      addNew(codes, text.slice(from + start, from + end), isKept);
    }
  }

  return {
    read: (codes, text, from = 0, to = text.length) => read(codes, text, from, to, true),
    readOnce: (codes, text) => read(codes, text, 0, text.length, false),
    terms: () => texts,
    forgetIfMany: () => {
      if (!known.isFull() && texts.length < mostTerms) return;
      known.forget();
      numbers = new Map();
      texts = [];
    },
  };
}
