import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fuse, fusedDepth, idf, textWeightFor } from "../../src/search/fuse.ts";

const list = (...scores: number[]) => scores.map((score, unit) => ({ unit, score }));

describe("SRCH-2 how much a term tells", () => {
  it("is the more the fewer have it, and never nothing", () => {
    expect(idf(1, 1000)).toBeGreaterThan(idf(10, 1000));
    expect(idf(1000, 1000)).toBeGreaterThan(0);
  });
});

describe("SRCH-2 two lists become one", () => {
  const text = [
    { unit: 1, score: 10 },
    { unit: 2, score: 6 },
    { unit: 3, score: 2 },
  ];
  const meaning = [
    { unit: 3, score: 0.9 },
    { unit: 4, score: 0.5 },
  ];

  it("in which each has its share, and the last match of a short list is one too", () => {
    const fused = fuse(text, meaning, 0.5);
    expect(fused.map(({ unit }) => unit)).toEqual([3, 1, 2, 4]);
    expect(fused.map((one) => one.text)).toEqual([0.1, 0.5, 0.3, 0]);
    expect(fused.map((one) => one.meaning)).toEqual([0.5, 0, 0, expect.closeTo(0.5 / 1.8)]);
    for (const { text, meaning, score } of fused) expect(score).toBe(text + meaning);
  });

  it("in which the last of a full list, behind which there are more, counts nothing", () => {
    const full = Array.from({ length: fusedDepth }, (_, unit) => ({ unit, score: 200 - unit }));
    const fused = fuse(full, [], 1);
    expect([fused[0]?.score, fused.at(-1)?.score]).toEqual([1, 0]);
  });

  it("in the order of the units where they are equal", () => {
    expect(fuse(list(1, 1, 1).toReversed(), [], 1).map(({ unit }) => unit)).toEqual([0, 1, 2]);
  });

  it("which is the other where one is empty", () => {
    expect(fuse([], meaning, 0).map(({ unit }) => unit)).toEqual([3, 4]);
    expect(fuse(text, [], 1).map(({ unit }) => unit)).toEqual([1, 2, 3]);
    expect(fuse([], [], 0.5)).toEqual([]);
  });
});

describe("SRCH-2 the share of the text", () => {
  const flat = list(...Array.from({ length: 100 }, (_, rank) => 1 - rank / 200));
  const steep = list(...Array.from({ length: 100 }, (_, rank) => 1 / (1 + rank)));
  const share = (given: Partial<Parameters<typeof textWeightFor>[0]>) =>
    textWeightFor({ words: 5, text: flat, meaning: flat, unknownShare: 0, ...given });

  it("grows where the text tells its best hits apart, and shrinks where the meaning does", () => {
    expect(share({ text: steep })).toBeGreaterThan(share({}));
    expect(share({ meaning: steep })).toBeLessThan(share({}));
  });

  it("grows with the words that were asked for", () => {
    expect(share({ words: 9 })).toBeGreaterThan(share({ words: 4 }));
  });

  it("is all where the vectors do not know the language", () => {
    expect(share({ unknownShare: 0.9 })).toBe(1);
    expect(share({ unknownShare: 0.1 })).toBe(share({}));
  });

  it("does not depend on the scale of a model's scores", () => {
    const shifted = flat.map(({ unit, score }) => ({ unit, score: 0.8 + score / 10 }));
    expect(share({ meaning: shifted })).toBeCloseTo(share({}), 10);
  });

  it("is nothing or all where one list is empty", () => {
    expect(share({ text: [] })).toBe(0);
    expect(share({ meaning: [] })).toBe(1);
  });

  it("is between 0 and 1 for any lists", () => {
    const scores = fc
      .array(fc.double({ min: 0, max: 100, noNaN: true }), { maxLength: 120 })
      .map((values) => list(...values.sort((a, b) => b - a)));
    fc.assert(
      fc.property(
        scores,
        scores,
        fc.nat(100),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (text, meaning, words, unknownShare) => {
          const weight = textWeightFor({ words, text, meaning, unknownShare });
          expect(weight).toBeGreaterThanOrEqual(0);
          expect(weight).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});
