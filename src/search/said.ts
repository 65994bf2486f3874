import { idf } from "./fuse.ts";
import type { TermMatches } from "./index/query-engine.ts";
import type { RankedUnit } from "./rank-found.ts";

/** In a small memory every word is rare: words are weighed as if there were so many other sections without them. */
const imagined = 50;

/** How much of a query's words stand in a section: a word that one section alone has counts about 1. */
export function createSaid(terms: TermMatches["terms"], units: number): (unit: Pick<RankedUnit, "hit">) => number {
  const most = idf(1, units + imagined);
  const scale = new Map(
    terms.map(({ term, units: having }) => [term, idf(having, units + imagined) / idf(having, units) / most]),
  );
  return ({ hit }) =>
    (hit.terms ?? []).reduce((sum, { term, score }) => sum + score * (scale.get(term) ?? 1 / most), 0);
}
