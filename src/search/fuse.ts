/** A unit and how well it matches, in a list that goes from the best to the worst. */
export interface Scored {
  readonly unit: number;
  readonly score: number;
}

/** How much a term tells: the fewer units have it, the more. */
export function idf(df: number, n: number): number {
  return Math.log(1 + (n - df + 0.5) / (df + 0.5));
}

/** How many of each list are fused. */
export const fusedDepth = 100;

/**
 * One list out of two, each brought to 1 for its first and 0 for its last, or for no score at all where the list is
 * not full: then its last is a match as well. A unit that a list does not have counts as 0 there. `weight` is the
 * share of the text.
 */
export function fuse(text: readonly Scored[], meaning: readonly Scored[], weight: number): Fused[] {
  const alone = scaled(text, weight).map(
    (score, at): Fused => ({ unit: (text[at] as Scored).unit, text: score, meaning: 0, score }),
  );
  if (meaning.length === 0) return alone.sort(byScore);
  const fused = new Map(alone.map((one) => [one.unit, one]));
  for (const [at, score] of scaled(meaning, 1 - weight).entries()) {
    const { unit } = meaning[at] as Scored;
    const found = fused.get(unit)?.text ?? 0;
    fused.set(unit, { unit, text: found, meaning: score, score: found + score });
  }
  return [...fused.values()].sort(byScore);
}

function byScore(a: Fused, b: Fused): number {
  return b.score - a.score || a.unit - b.unit;
}

/** From the share for the first to 0 for the last, or for no score at all where the list is not full. */
export function scaled(list: readonly Pick<Scored, "score">[], share: number): number[] {
  const first = list[0]?.score ?? 0;
  const last = list.length < fusedDepth ? 0 : (list.at(-1)?.score ?? 0);
  return list.map(({ score }) => share * (first === last ? 1 : (score - last) / (first - last)));
}

export interface Fused extends Scored {
  /** The weighted parts, which add up to the score. */
  readonly text: number;
  readonly meaning: number;
}

/** What is known of a query once both lists are there. */
export interface QuerySigns {
  /** How many words were asked for, not counting those that say little. */
  readonly words: number;
  readonly text: readonly { readonly score: number }[];
  readonly meaning: readonly { readonly score: number }[];
  /** The share of the query that the vectors do not know, 0 to 1. */
  readonly unknownShare: number;
}

// Fitted once, and cross-validated: each sign moves the weight in the same direction in talks and in code, in small
// and in large collections. The signs of meaning are independent of the scale of a model's scores.
const evenOdds = 1.25;
const usualTextDrop = 0.42;
const usualMeaningDrop = 0.5;
const textDropPower = 0.4;
const meaningDropPower = 0.45;
const usualWords = 5;
const growthPerWord = 1.17;

/**
 * The share of the text in the score, 0 to 1. A list that falls off steeply after its first hits knows what was asked
 * for, a flat one guesses; many words are a better base for the text, and a blurred one for a vector.
 */
export function textWeightFor({ words, text, meaning, unknownShare }: QuerySigns): number {
  if (text.length === 0) return 0;
  if (meaning.length === 0) return 1;
  const textDrop = between(0.08, 1 - (text[9]?.score ?? 0) / (text[0]?.score || 1), 1);
  const meaningDrop = between(0.05, dropWithin(meaning), 1);
  const odds =
    evenOdds *
    (textDrop / usualTextDrop) ** textDropPower *
    (usualMeaningDrop / meaningDrop) ** meaningDropPower *
    growthPerWord ** (between(3, words, 12) - usualWords);
  const weight = odds / (1 + odds);
  // A few unknown pieces are names. Where most is unknown it is another language, and the vector says nothing.
  return 1 - (1 - weight) * (1 - between(0, (unknownShare - 0.2) / 0.6, 1));
}

/** How far the tenth has fallen on the way from the first to the last. */
function dropWithin(list: readonly { readonly score: number }[]): number {
  const first = list[0]?.score ?? 0;
  const last = list.at(-1)?.score ?? 0;
  const tenth = list[9]?.score ?? last;
  return first === last ? 1 : (first - tenth) / (first - last);
}

function between(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
