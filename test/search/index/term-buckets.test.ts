import fc from "fast-check";
import { expect, test } from "vitest";
import { packPosting } from "../../../src/search/index/posting-list.ts";
import { bucketOf, createBucketPacker, findPostings, termsOfBucket } from "../../../src/search/index/term-buckets.ts";

const encoder = new TextEncoder();
// Of one unit of a string and of two, and of one to four bytes.
const character = fc.oneof(
  fc.constantFrom("a", "z", "\u00e9", "\ud7ff", "\ue000", "\ufb01", "\uffee", "\u{10000}", "\u{1f600}", "\u{10ffff}"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 2 }),
);
const term = fc.array(character, { minLength: 1, maxLength: 4 }).map((characters) => characters.join(""));

test("SRCH-2 every term of a chunk is found in it, of whatever characters, and no other", () => {
  fc.assert(
    fc.property(fc.uniqueArray(term, { minLength: 1, maxLength: 300 }), fc.array(term), (terms, others) => {
      const packer = createBucketPacker();
      const known = new Set(terms);
      for (const [unit, one] of [...known].sort().entries()) {
        packer.add(one, Uint32Array.of(packPosting(unit, 7)), 0, 1);
      }
      const buckets = packer.finish();
      for (const one of [...known, ...others]) {
        const found = findPostings(buckets[bucketOf(one)] as Uint8Array, encoder.encode(one));
        expect(found?.count).toBe(known.has(one) ? 1 : undefined);
      }
      const all = buckets.flatMap((bucket) => [...termsOfBucket(bucket)].map((found) => found.term));
      expect(all.toSorted()).toEqual([...known].sort());
    }),
  );
});
