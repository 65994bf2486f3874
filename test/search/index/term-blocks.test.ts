import fc from "fast-check";
import { expect, test } from "vitest";
import { packPosting } from "../../../src/search/index/posting-list.ts";
import {
  blockOf,
  createTermPacker,
  findPostings,
  readBlock,
  readFirsts,
} from "../../../src/search/index/term-blocks.ts";

const encoder = new TextEncoder();
// Where the order of strings and that of their bytes differ: pairs of characters and what comes behind them.
const character = fc.oneof(
  fc.constantFrom("a", "z", "\u00e9", "\ud7ff", "\ue000", "\ufb01", "\uffee", "\u{10000}", "\u{1f600}", "\u{10ffff}"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 2 }),
);
const term = fc.array(character, { minLength: 1, maxLength: 4 }).map((characters) => characters.join(""));

test("SRCH-2 every term of a segment is found in it, of whatever characters, and no other", () => {
  fc.assert(
    fc.property(fc.uniqueArray(term, { minLength: 1, maxLength: 300 }), fc.array(term), (terms, others) => {
      const packer = createTermPacker();
      const known = new Set(terms);
      for (const [unit, one] of [...known].sort().entries()) {
        packer.add(one, Uint32Array.of(packPosting(unit, 7)), 0, 1);
      }
      const packed = packer.finish();
      const firsts = readFirsts(packed.firsts);
      const blocks = packed.blocks.map(readBlock);
      for (const one of [...known, ...others]) {
        const block = blocks[blockOf(firsts, one)];
        const found = block && findPostings(block, encoder.encode(one));
        expect(found?.count).toBe(known.has(one) ? 1 : undefined);
      }
    }),
  );
});
