import type { FoundUnit, FoundUnits } from "./find-units.ts";
import { markTerms, termsOf } from "./query.ts";
import { createRanking, type RankingWeights, type RankParts } from "./rank.ts";
import type { Explanation, SearchContext } from "./search.ts";
import type { ShownUnit } from "./shown-units.ts";

/** A found unit, read, with all that its place in the list was made of. */
export interface RankedUnit extends FoundUnit {
  readonly score: number;
  readonly parts: Omit<Explanation, "terms">;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly shown: ShownUnit;
}

export interface RankOptions {
  readonly phrases: readonly (readonly string[])[];
  /** Terms that a unit's own text must not have; that its neighbours may, for which it was found. */
  readonly excluded: readonly string[];
  readonly context: SearchContext;
  readonly weights: RankingWeights;
  readonly now: number;
  readonly toDate: (milliseconds: number) => string;
  /** Of units that are all different. */
  readonly read: (units: readonly FoundUnit[]) => readonly ShownUnit[];
}

export interface RankedPage {
  readonly units: readonly RankedUnit[];
  readonly total: number;
  /** True where there may be more than the total says. */
  readonly isPartial: boolean;
}

/** Where texts have to be read to know what matches: as many as make a useful total, and as many as anybody waits for. */
const leastChecked = 500;
const mostChecked = 5000;
const readAtOnce = 50;

/**
 * What was found, in its final order, from one place on. Texts are read for those that are shown, where phrases and
 * excluded words are to be checked, and for the best where the context asks what they mention.
 */
export function rankFound(found: FoundUnits, page: Page, options: RankOptions): RankedPage {
  const isStrict = options.phrases.length > 0 || options.excluded.length > 0;
  const ordered = inOrder(found.units, isStrict ? Number.POSITIVE_INFINITY : page.from + page.count, options);
  if (isStrict) return pickFitting(ordered, page, options);
  const units = readAll(ordered.slice(page.from, page.from + page.count), options);
  return { units, total: found.total, isPartial: false };
}

/** Only a text itself tells whether a phrase is in it, or a word is not. */
function pickFitting(ordered: readonly Scored[], { from, count }: Page, options: RankOptions): RankedPage {
  const units: RankedUnit[] = [];
  let [fitting, checked] = [0, 0];
  while (checked < Math.min(ordered.length, mostChecked) && (checked < leastChecked || fitting < from + count)) {
    const some = readAll(ordered.slice(checked, checked + readAtOnce), options);
    checked += some.length;
    for (const unit of some.filter(({ shown }) => fits(shown, options))) {
      fitting += 1;
      if (fitting > from && units.length < count) units.push(unit);
    }
  }
  return { units, total: fitting, isPartial: checked < ordered.length };
}

/**
 * The best by their score, and where that is equal as they were found; those behind as they were found. Past the first
 * so many, some may be missing.
 */
function inOrder(units: readonly FoundUnit[], wanted: number, options: RankOptions): Scored[] {
  const parts = createRanking(options);
  const scored: Scored[] = [];
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (const unit of units) {
    // They come by text and meaning: whoever is behind so many by more than all the rest is worth stays there.
    if (scored.length >= wanted && (unit.isBehind || unit.text + unit.meaning + parts.most < least)) break;
    const one = scoreOf(unit, parts, options);
    scored.push(one);
    if (!unit.isBehind) best += 1;
    if (scored.length <= wanted) least = Math.min(least, one.score);
  }
  if (best === scored.length) return scored.sort(byScore);
  return [...scored.slice(0, best).sort(byScore), ...scored.slice(best)];
}

function byScore(left: Scored, right: Scored): number {
  return right.score - left.score;
}

interface Page {
  readonly from: number;
  readonly count: number;
}

interface Scored {
  readonly unit: FoundUnit;
  readonly date: string;
  readonly recency: number;
  readonly context: number;
  readonly score: number;
}

function scoreOf(unit: FoundUnit, parts: RankParts, { toDate, read }: RankOptions): Scored {
  const { hit, text, meaning, isBehind } = unit;
  const date = hit.date ?? toDate(hit.modified);
  const recency = parts.recency(date);
  // What is behind keeps its place, whatever it mentions.
  const context = parts.context?.({ path: hit.path, text: () => (isBehind ? "" : (read([unit])[0]?.text ?? "")) }) ?? 0;
  return { unit, date, recency, context, score: text + meaning + recency + context };
}

function readAll(scored: readonly Scored[], { read }: RankOptions): RankedUnit[] {
  const shown = read(scored.map(({ unit }) => unit));
  return scored.map(({ unit, date, recency, context, score }, at) => {
    const { hit, text, meaning, isBehind } = unit;
    const parts = { text, meaning, recency, context };
    return { hit, text, meaning, isBehind, date, score, parts, shown: shown[at] as ShownUnit };
  });
}

function fits({ title, text: own }: ShownUnit, { phrases, excluded }: RankOptions): boolean {
  const text = `${title}\n${own}`;
  // Not by the terms in order, which have identifiers in their parts: one can be excluded as a whole.
  if (markTerms(text, excluded).length > 0) return false;
  const terms = phrases.length > 0 ? termsOf(text) : [];
  return phrases.every((phrase) => terms.some((_, at) => phrase.every((term, index) => terms[at + index] === term)));
}
