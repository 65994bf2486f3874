import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPlainRowSum, createSimdRowSum, type RowTable } from "../../../src/search/meaning/row-sum.ts";

const rowCount = 20;

/** Any bytes, and any scales that are numbers: below 0x7c00 they are positive and finite. */
function tables(dims: number): fc.Arbitrary<RowTable> {
  return fc
    .record({
      rows: fc.int8Array({ minLength: rowCount * dims, maxLength: rowCount * dims }),
      scales: fc.uint16Array({ minLength: rowCount, maxLength: rowCount, max: 0x7bff }),
    })
    .map(({ rows, scales }) => ({ dims, rows, scales }));
}

describe("adding up rows", () => {
  it.each([32, 128, 384])("SRCH-2 gives the same bits with SIMD and without, for %i dimensions", (dims) => {
    const tokens = fc.array(fc.nat({ max: rowCount - 1 }), { maxLength: 50 });
    const property = fc.property(tables(dims), fc.array(tokens, { minLength: 1, maxLength: 5 }), (table, texts) => {
      const plain = createPlainRowSum(table);
      const simd = createSimdRowSum(table, 50);
      if (simd === undefined) throw new Error("This Node has no WebAssembly SIMD.");
      // One after the other: nothing may be left over from the text before.
      for (const text of texts) expect(simd(text)).toEqual(plain(text));
      expect(simd.table).toEqual(table);
    });
    fc.assert(property, { numRuns: 15 });
  });

  it("SRCH-2 gives vectors of its own, which the next text does not change", () => {
    const table = { dims: 32, rows: new Int8Array(64).fill(3), scales: Uint16Array.of(0x3c00, 0x4000) };
    for (const sum of [createPlainRowSum(table), createSimdRowSum(table, 4)]) {
      const first = sum?.([0]);
      sum?.([1, 1]);
      expect(first).toEqual(new Float32Array(32).fill(3));
    }
  });

  it("SRCH-2 leaves dimensions that do not fit to the plain way", () => {
    expect(createSimdRowSum({ dims: 100, rows: new Int8Array(100), scales: Uint16Array.of(1) }, 4)).toBeUndefined();
  });
});
