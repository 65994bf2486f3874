import type { AnalysedWord } from "./analyse-word.ts";
import { fold } from "./fold.ts";

const word = /^[\p{Script=Han}\p{Extended_Pictographic}]$/u;

/** A run of a script without blanks: each two neighbours, or the one character there is. */
export function analyseRun(run: string): AnalysedWord {
  const characters = Array.from(run, fold);
  if (characters.length < 2) return { parts: characters, others: [], isStop: false };
  const parts = characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  // One such character can be a word, and somebody may look for it alone.
  const others = characters.filter((character) => word.test(character));
  return { parts, others, isStop: false };
}
