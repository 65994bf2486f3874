import { comparePlaces, type FoundUnit, type FoundUnits } from "./find-units.ts";
import { markTerms, termsOf } from "./query.ts";
import { partsOf, type RankingWeights } from "./rank.ts";
import type { Explanation, SearchContext } from "./search.ts";
import type { UnitText } from "./unit-texts.ts";

/** A found unit, read, with all that its place in the list was made of. */
export interface RankedUnit extends FoundUnit {
  readonly score: number;
  readonly parts: Omit<Explanation, "terms">;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly read: UnitText;
}

export interface RankOptions {
  readonly phrases: readonly (readonly string[])[];
  /** Terms that a unit's own text must not have; that its neighbours may, for which it was found. */
  readonly excluded: readonly string[];
  readonly context: SearchContext;
  readonly weights: RankingWeights;
  readonly now: number;
  readonly toDate: (milliseconds: number) => string;
  /** Undefined where it is not there any more. */
  readonly read: (unit: FoundUnit) => Promise<UnitText | undefined>;
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

/**
 * What was found, in its final order, from one place on. Texts are read for those that are shown, where phrases and
 * excluded words are to be checked, and for the best where the context asks what they mention.
 */
export async function rankFound(found: FoundUnits, page: Page, options: RankOptions): Promise<RankedPage> {
  const ordered = await inOrder(found.units, options);
  if (options.phrases.length > 0 || options.excluded.length > 0) return pickFitting(ordered, page, options);
  const units: RankedUnit[] = [];
  for (const one of ordered.slice(page.from)) {
    if (units.length === page.count) break;
    const read = one.read ?? (await options.read(one.unit));
    // What went away since is left out.
    if (read) units.push(ranked(one, read));
  }
  return { units, total: found.total, isPartial: false };
}

/** Only a text itself tells whether a phrase is in it, or a word is not. */
async function pickFitting(
  ordered: readonly Scored[],
  { from, count }: Page,
  options: RankOptions,
): Promise<RankedPage> {
  const units: RankedUnit[] = [];
  let [fitting, checked] = [0, 0];
  for (const one of ordered) {
    if (checked >= mostChecked || (checked >= leastChecked && fitting >= from + count)) break;
    checked += 1;
    const read = one.read ?? (await options.read(one.unit));
    if (!read || !fits(read, options)) continue;
    fitting += 1;
    if (fitting > from && units.length < count) units.push(ranked(one, read));
  }
  return { units, total: fitting, isPartial: checked < ordered.length };
}

/** The best by their score; those behind in the order in which they matched. */
async function inOrder(units: readonly FoundUnit[], options: RankOptions): Promise<Scored[]> {
  const { task, files = [] } = options.context;
  const usesText = task !== undefined || files.length > 0;
  const best: Scored[] = [];
  for (const unit of units.filter(({ isBehind }) => !isBehind)) {
    best.push(scored(unit, usesText ? await options.read(unit) : undefined, options));
  }
  best.sort((a, b) => b.score - a.score || comparePlaces(a.unit.hit, b.unit.hit));
  const behind = units.filter(({ isBehind }) => isBehind);
  return [...best, ...behind.map((unit) => scored(unit, undefined, options))];
}

function ranked({ unit, read: _, ...score }: Scored, read: UnitText): RankedUnit {
  return { ...unit, ...score, read };
}

interface Page {
  readonly from: number;
  readonly count: number;
}

interface Scored {
  readonly unit: FoundUnit;
  readonly read: UnitText | undefined;
  readonly date: string;
  readonly parts: RankedUnit["parts"];
  readonly score: number;
}

function scored(unit: FoundUnit, read: UnitText | undefined, options: RankOptions): Scored {
  return { unit, read, ...scoreOf(unit, read, options) };
}

function scoreOf(unit: FoundUnit, read: UnitText | undefined, { toDate, weights, context, now }: RankOptions) {
  const date = unit.hit.date ?? toDate(unit.hit.modified);
  const parts = partsOf(unit, { path: unit.hit.path, date, text: () => read?.text ?? "" }, { weights, context, now });
  return { date, parts, score: parts.text + parts.meaning + parts.recency + parts.context };
}

function fits(read: UnitText, { phrases, excluded }: RankOptions): boolean {
  const text = `${read.section.title}\n${read.text}`;
  // Not by the terms in order, which have identifiers in their parts: one can be excluded as a whole.
  if (markTerms(text, excluded).length > 0) return false;
  const terms = phrases.length > 0 ? termsOf(text) : [];
  return phrases.every((phrase) => terms.some((_, at) => phrase.every((term, index) => terms[at + index] === term)));
}
