import { analyseRun } from "./analyse-run.ts";
import { knownWord } from "./known-words.ts";
import { scanWords } from "./scan-words.ts";

/** The terms of a text in order, for finding phrases: identifiers in their parts. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  scanWords(text, 0, text.length, (start, end, _, isUnspaced) => {
    const word = text.slice(start, end);
    for (const part of (isUnspaced ? analyseRun(word) : knownWord(word)).parts) terms.push(part);
  });
  return terms;
}
