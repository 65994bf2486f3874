import { type AnalysedWord, analyseWord } from "./analyse-word.ts";

const longestKept = 40;
const mostKept = 4096;

/** Queries and what is shown of their answers have few words, and the same ones again and again. */
const known = new Map<string, AnalysedWord>();

export function knownWord(word: string): AnalysedWord {
  const found = known.get(word);
  if (found) return found;
  const analysed = analyseWord(word);
  if (word.length > longestKept) return analysed;
  if (known.size >= mostKept) known.clear();
  known.set(cutLoose(word), analysed);
  return analysed;
}

/** A long slice would keep the whole text that it was cut from; a short one is a copy anyway. */
export function cutLoose(text: string): string {
  return text.length < 13 ? text : Buffer.from(text, "utf16le").toString("utf16le");
}
