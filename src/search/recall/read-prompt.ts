import type { Explanation } from "../search.ts";

export interface Prompt {
  /** False where it only drives a session, such as “go on”. */
  readonly hasSubject: boolean;
  /** Whether a text that matches by these terms is about what the prompt is about. */
  fits(terms: Explanation["terms"]): boolean;
}

// Words of prompts that say what to do, not with what.
const driving: ReadonlySet<string> = new Set(
  `add again change check commit continue do done explain fix give go good great help let lets look make need next ok
  okay please proceed run show start stop sure tell thank thanks try update want work write yes
  bitte danke gut ja mach mache mal weiter zeig zeige`.split(/\s+/),
);
/** A word that scores as high by itself is in few texts, of which this is one. */
const rareScore = 2.5;
/** `ERR_4012`, `getUserName`, `src/auth.ts`, `OAuth`, `TLS`: written as a name is. */
const name = /\d|[_/\\]|\p{L}\.\p{L}|\p{L}\p{Lu}/u;

/**
 * Something is always nearest in meaning, and some word is in some note. So two words of a prompt must stand in what is
 * found, or all where there are fewer; a name, or a rare word, does alone. Loads how search reads words.
 */
export async function readPrompt(text: string): Promise<Prompt> {
  const { queryTermsOf, queryWordsOf } = await import("../query-terms.ts");
  const terms = queryTermsOf(queryWordsOf(text), new Set());
  const wholes = Map.groupBy(
    terms.filter(({ weight, word }) => weight === 1 && !driving.has(word.toLowerCase())),
    ({ word }) => word,
  );
  const parts = new Set(terms.filter(({ weight, word }) => weight < 1 && name.test(word)).map(({ term }) => term));

  function isWhole(word: string, found: Explanation["terms"]): boolean {
    const asked = wholes.get(word) ?? [];
    return found.some(({ term }) => asked.some((one) => one.term === term));
  }

  return {
    hasSubject: wholes.size > 0,
    fits: (found) => {
      const matched = [...Map.groupBy(found, (one) => one.for)].filter(
        ([word, by]) => wholes.has(word) && isMatched(word, by),
      );
      if (matched.length >= Math.min(2, wholes.size)) return matched.length > 0;
      return matched.some(([word, by]) => isAlone(word, by));
    },
  };

  /** Of the parts of a name, one is in many texts. */
  function isMatched(word: string, by: Explanation["terms"]): boolean {
    return isWhole(word, by) || by.length > 1 || !by.some(({ term }) => parts.has(term));
  }

  function isAlone(word: string, by: Explanation["terms"]): boolean {
    return isWhole(word, by) && (name.test(word) || by.some(({ score }) => score >= rareScore));
  }
}
