import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createNumberList } from "../../../src/search/text/number-list.ts";
import { createTextUnits, loadUnits, type TextUnits } from "../../../src/search/text/text-units.ts";
import { createWordMemory, hashUnit, type WordMemory } from "../../../src/search/text/word-memory.ts";

function hashOf(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at += 1) hash = hashUnit(hash, word.charCodeAt(at));
  return hash;
}

function unitsOf(text: string): TextUnits {
  const units = createTextUnits(0);
  loadUnits(units, text, 0, text.length);
  return units;
}

function knownOf(memory: WordMemory, word: string, hash = hashOf(word)): number[] | undefined {
  const list = createNumberList();
  const isKnown = memory.addKnown(list, unitsOf(`<${word}>`), 1, 1 + word.length, hash);
  return isKnown ? Array.from(list.values.subarray(0, list.length)) : undefined;
}

function keep(memory: WordMemory, word: string, numbers: readonly number[], hash = hashOf(word)): void {
  memory.keep(unitsOf(word), 0, word.length, hash, numbers);
}

describe("a memory of words", () => {
  it("SRCH-3 knows each word that it kept, with its numbers, and no other", () => {
    const words = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.array(fc.nat(), { maxLength: 4 }));
    fc.assert(
      fc.property(words, fc.string({ minLength: 1, maxLength: 8 }), (kept, other) => {
        const memory = createWordMemory(1000);
        for (const [word, numbers] of Object.entries(kept)) keep(memory, word, numbers);
        for (const [word, numbers] of Object.entries(kept)) expect(knownOf(memory, word)).toEqual(numbers);
        if (!Object.hasOwn(kept, other)) expect(knownOf(memory, other)).toBeUndefined();
      }),
    );
  });

  it("SRCH-3 tells words of the same hash apart", () => {
    const memory = createWordMemory(1000);
    for (const [number, word] of ["one", "two", "six", "seven"].entries()) keep(memory, word, [number], 42);
    expect(["one", "two", "six", "seven", "ten"].map((word) => knownOf(memory, word, 42))).toEqual([
      [0],
      [1],
      [2],
      [3],
      undefined,
    ]);
  });

  it("SRCH-3 grows to as many as it may, keeps no more, and forgets all", () => {
    const memory = createWordMemory(10_000);
    for (let number = 0; number < 10_001; number += 1) keep(memory, `word${number}`, [number, number]);
    expect(memory.isFull()).toBe(true);
    expect(knownOf(memory, "word0")).toEqual([0, 0]);
    expect(knownOf(memory, "word9999")).toEqual([9999, 9999]);
    expect(knownOf(memory, "word10000")).toBeUndefined();
    memory.forget();
    expect(memory.isFull()).toBe(false);
    expect(knownOf(memory, "word0")).toBeUndefined();
  });
});
