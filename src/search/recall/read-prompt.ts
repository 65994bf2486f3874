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
  const [{ parseQuery }, { isStopWord }] = await Promise.all([import("../query.ts"), import("../text/stop-words.ts")]);
  const says = ({ word }: { readonly word: string }) =>
    !isStopWord(word.toLowerCase()) && !driving.has(word.toLowerCase());
  const asked = Map.groupBy(parseQuery(text).terms.filter(says), ({ word }) => word);
  const words = [...asked].flatMap(([word, terms]) => {
    const wholes = terms.filter(({ weight }) => weight === 1).map(({ term }) => term);
    return wholes.length === 0 ? [] : [{ word, wholes, isCompound: terms.length - wholes.length > 1 }];
  });

  function matchOf({ word, wholes, isCompound }: (typeof words)[number], found: Explanation["terms"]) {
    const by = found.filter((one) => one.for === word);
    const whole = by.filter(({ term }) => wholes.includes(term));
    // Of the parts of a name, each is in many texts.
    if (by.length === 0 || (isCompound && whole.length === 0 && by.length < 2)) return [];
    return [{ isAlone: whole.some(({ score }) => name.test(word) || score >= rareScore) }];
  }

  return {
    hasSubject: words.length > 0,
    fits: (terms) => {
      const matches = words.flatMap((word) => matchOf(word, terms));
      return matches.length > 0 && (matches.length >= Math.min(2, words.length) || matches.some((one) => one.isAlone));
    },
  };
}
