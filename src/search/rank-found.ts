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

/**
 * What was found, in its final order. Texts are read for those that are shown, and for all where a phrase is to be
 * checked or the context asks what they mention.
 */
export async function rankFound(found: FoundUnits, options: RankOptions) {
  const { phrases, excluded, context } = options;
  const texts = new Map<FoundUnit, UnitText | undefined>();
  const isStrict = phrases.length > 0 || excluded.length > 0;
  if (isStrict || context.task !== undefined || (context.files?.length ?? 0) > 0) {
    for (const unit of found.units) texts.set(unit, await options.read(unit));
  }
  const ranked = found.units
    .filter((unit) => !isStrict || fits(texts.get(unit), options))
    .map((unit) => ({ ...unit, ...scoreOf(unit, texts.get(unit), options), read: texts.get(unit), unit }))
    // Those behind keep the order in which they matched.
    .sort(
      (a, b) =>
        Number(a.isBehind) - Number(b.isBehind) || (a.isBehind ? 0 : b.score - a.score || comparePlaces(a.hit, b.hit)),
    );

  /** So many from that one on; what went away since is left out. */
  async function page(from: number, count: number): Promise<RankedUnit[]> {
    const units: RankedUnit[] = [];
    for (const { unit, read = undefined, ...rest } of ranked.slice(from)) {
      if (units.length === count) break;
      const text = read ?? (await options.read(unit));
      if (text) units.push({ ...rest, read: text });
    }
    return units;
  }

  return { total: isStrict ? ranked.length : found.total, page };
}

function scoreOf(unit: FoundUnit, read: UnitText | undefined, { toDate, weights, context, now }: RankOptions) {
  const date = unit.hit.date ?? toDate(unit.hit.modified);
  const parts = partsOf(unit, { path: unit.hit.path, date, text: () => read?.text ?? "" }, { weights, context, now });
  return { date, parts, score: parts.text + parts.meaning + parts.recency + parts.context };
}

function fits(read: UnitText | undefined, { phrases, excluded }: RankOptions): boolean {
  if (!read) return false;
  const text = `${read.section.title}\n${read.text}`;
  // Not by the terms in order, which have identifiers in their parts: one can be excluded as a whole.
  if (markTerms(text, excluded).length > 0) return false;
  const terms = phrases.length > 0 ? termsOf(text) : [];
  return phrases.every((phrase) => terms.some((_, at) => phrase.every((term, index) => terms[at + index] === term)));
}
