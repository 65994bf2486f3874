import { startOfCharacter } from "../whole-character.ts";
import { withCutSign } from "./fences.ts";

/** Ends of sentences and of lines, the end of the text not among them. */
const borders = /[.!?…][)\]"'”’»]*(?=[ \t])|[。！？]|\n+/g;
const blanks = /[ \t]+(?=\S)/g;
/** Where nothing parts a text, it is cut between characters, of which more than these do not fit a small room anyway. */
const mostCharacterCuts = 2_000;

/**
 * The longest beginning of a text that fits: to the end of a sentence or of a line; where that leaves more than half of
 * the room empty, to the end of a word, or of a character. Undefined where nothing fits.
 */
export function trimText(
  text: string,
  { fits, fillsHalf }: { readonly fits: (text: string) => boolean; readonly fillsHalf: (text: string) => boolean },
): string | undefined {
  const cut = (at: number) => withCutSign(text.slice(0, at));
  const ends = [...text.matchAll(borders)].map(({ index, 0: what }) =>
    what.startsWith("\n") ? index : index + what.length,
  );
  const atBorder = longest(ends, (at) => fits(cut(at)));
  const whole = atBorder === undefined ? undefined : cut(atBorder);
  if (whole !== undefined && fillsHalf(whole)) return whole;
  const next = text.slice(0, ends.find((at) => at > (atBorder ?? 0)) ?? text.length);
  const words = [...next.matchAll(blanks)].map(({ index }) => index).filter((at) => at > (atBorder ?? 0));
  const atWord = longest(words, (at) => fits(cut(at)));
  if (atWord !== undefined && (fillsHalf(cut(atWord)) || !isUnbroken(next, atWord))) return cut(atWord);
  const from = atWord ?? atBorder ?? 0;
  const characters = Array.from({ length: Math.min(next.length - from, mostCharacterCuts) }, (_, step) =>
    startOfCharacter(text, from + step + 1),
  ).filter((at) => at > from);
  const atCharacter = longest(characters, (at) => fits(cut(at)));
  const best = atCharacter ?? atWord;
  return best === undefined ? whole : cut(best);
}

/** Whether what follows is a word so long that it is better shown in part. */
function isUnbroken(text: string, at: number): boolean {
  return !/\s/.test(text.slice(at + 1, at + 81));
}

/** The last of ascending places that passes; where one does not, none after it does. */
function longest(places: readonly number[], passes: (place: number) => boolean): number | undefined {
  let [low, high] = [-1, places.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (passes(places[middle] ?? 0)) low = middle;
    else high = middle - 1;
  }
  return places[low];
}
