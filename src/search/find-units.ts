import { fuse, fusedDepth, type Scored, scaled, textWeightFor } from "./fuse.ts";
import type { EngineReader, TermMatches, UnitHit } from "./index/query-engine.ts";
import type { QueryMeaning } from "./meaning.ts";
import type { SearchPlan } from "./plan-search.ts";

export interface FoundUnit {
  readonly hit: UnitHit;
  /** The weighted parts of the score. */
  readonly text: number;
  readonly meaning: number;
  /** It matches, but not among the best: it comes after all that were fused, so that pages follow each other. */
  readonly isBehind: boolean;
}

export interface FoundUnits {
  readonly units: readonly FoundUnit[];
  readonly total: number;
  /** The terms that were looked up in the end. */
  readonly terms: TermMatches["terms"];
  readonly warnings: readonly string[];
}

/** How many are looked at where a text has to be read before it counts. */
const strictDepth = 20_000;
/** What shares no word with the query and is further from it than this is no match; of words that nobody knows, less is sure. */
const leastNearness = 0.25;
const leastNearnessOfUnknown = 0.45;
/** From this share of unknown pieces on, a vector is that of another language: what is near it is so by chance. */
const mostUnknown = 0.8;
/** The same where none of the words was found either: a password or a code that is not there has no meaning. */
const mostUnknownAlone = 0.6;
/** What shares no word with the query, but is as near to it as this, is what was meant. */
const sureNearness = 0.5;
const byMeaningAlone = "Nothing has any of these words: what is found is only somewhat near to them in meaning.";

/** The units that match by their words or by their meaning, best first. */
export function findUnits(engine: EngineReader, plan: SearchPlan, meaning: QueryMeaning | undefined): FoundUnits {
  const { terms, excluded, phrases } = plan.query;
  const required = phrases.flat().map((term) => [term]);
  const isStrict = excluded.length > 0 || required.length > 0;
  const depth = isStrict ? strictDepth : Math.max(fusedDepth, plan.offset + plan.limit);
  const matches = engine.match({ terms, required, filter: plan.filter, explain: plan.explains }, depth);
  const most = matches.total > 0 ? mostUnknown : mostUnknownAlone;
  const isUnderstood = terms.length > 0 && meaning !== undefined && meaning.unknownShare < most;
  const near = isUnderstood ? engine.nearest(meaning.vector, fusedDepth, plan.filter) : [];
  const best = matches.hits.slice(0, fusedDepth);
  const places = near.length === 0 ? undefined : createPlaces(matches.hits);
  const least = leastNearness + (leastNearnessOfUnknown - leastNearness) * (meaning?.unknownShare ?? 0);
  // Where every match must have certain words, what has none of them cannot match. Elsewhere the same ones fit whatever
  // page is asked for, or pages would repeat what others showed.
  const mostPlace = isStrict ? matches.hits.length : best.length;
  const fitting = near
    .map((hit) => ({ unit: places?.of(hit) ?? 0, score: hit.score }))
    .filter(({ unit, score }) => unit < mostPlace || (!isStrict && score >= least));
  const weight = textWeightFor({
    words: terms.filter((term) => term.weight === 1).length,
    text: best,
    meaning: fitting,
    unknownShare: meaning?.unknownShare ?? 0,
  });
  const fused = fitting.length === 0 ? byText(best) : byBoth(best, fitting, weight, places?.hits ?? best);
  const isFused = new Set(fitting.map(({ unit }) => unit));
  const behind = matches.hits.slice(best.length).filter((_, at) => !isFused.has(best.length + at));
  const units = [...fused, ...behind.map((hit) => ({ hit, text: 0, meaning: 0, isBehind: true }))];
  const isVague = matches.total === 0 && (fitting[0]?.score ?? 1) < sureNearness;
  const warnings = units.length === 0 ? emptied(engine, plan) : isVague ? [byMeaningAlone] : [];
  return { units, total: Math.max(matches.total, units.length), terms: matches.terms, warnings };
}

/** Other words are of no use where a filter leaves nothing to look through. */
function emptied(engine: EngineReader, { narrowings }: SearchPlan): string[] {
  return narrowings.flatMap(({ filter, says }) => (engine.match({ terms: [], filter }, 1).total === 0 ? [says] : []));
}

/** What is found by its words alone is in its order already. */
function byText(best: readonly UnitHit[]): FoundUnit[] {
  const scores = scaled(best, 1);
  return best.map((hit, at) => ({ hit, text: scores[at] as number, meaning: 0, isBehind: false }));
}

function byBoth(
  best: readonly UnitHit[],
  fitting: readonly Scored[],
  weight: number,
  hits: readonly UnitHit[],
): FoundUnit[] {
  const text = best.map(({ score }, unit) => ({ unit, score }));
  return fuse(text, fitting, weight).flatMap(({ unit, text, meaning }) => {
    const hit = hits[unit];
    return hit ? [{ hit, text, meaning, isBehind: false }] : [];
  });
}

/** Numbers the units of both lists: the matches first, in their order, then what is found by meaning alone. */
function createPlaces(matches: readonly UnitHit[]) {
  const hits: UnitHit[] = [];
  /** By index, and by where a unit is kept in it. */
  const numbers = new Map<number, Map<number, number>>();

  function of(hit: UnitHit): number {
    const ofIndex = numbers.get(hit.index) ?? new Map<number, number>();
    numbers.set(hit.index, ofIndex);
    const known = ofIndex.get(hit.shownAt);
    if (known !== undefined) return known;
    ofIndex.set(hit.shownAt, hits.length);
    return hits.push(hit) - 1;
  }

  for (const match of matches) of(match);
  return { hits, of };
}
