import fc from "fast-check";
import { expect, it } from "vitest";
import { sortTerms } from "../../../src/search/index/sort-terms.ts";

const unit = fc.constantFrom("a", "b", "z", "0", "\0", "þ", "ÿ", "Ā", "東", "京", "\ud83d\ude00", "\ud800", "\udfff");
const text = fc.oneof(fc.string({ unit, maxLength: 9 }), fc.string({ maxLength: 12 }));
/** Many that begin alike. */
const terms = fc
  .tuple(text, fc.uniqueArray(text, { maxLength: 60 }))
  .map(([beginning, ends]) => [...new Set(ends.flatMap((end) => [end, beginning + end]))]);

it("SRCH-3 terms are sorted as `sort` does, whatever they begin with", () => {
  fc.assert(
    fc.property(terms, (given) => {
      expect(Array.from(sortTerms(given), (place) => given[place])).toEqual([...given].sort());
    }),
  );
});
