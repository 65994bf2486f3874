import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stem } from "../../../src/search/text/stem.ts";

describe("SRCH-2 the stem of an English word", () => {
  it.each([
    ["consistency", "consist"],
    ["consisting", "consist"],
    ["knightly", "knight"],
    ["generate", "generat"],
    ["generously", "generous"],
    ["hopping", "hop"],
    ["hoping", "hope"],
    ["relational", "relat"],
    ["conditional", "condit"],
    ["rationalization", "ration"],
    ["sensibilities", "sensibl"],
    ["ties", "tie"],
    ["cries", "cri"],
    ["gas", "gas"],
    ["kiwis", "kiwi"],
    ["agreed", "agre"],
    ["luxuriating", "luxuri"],
    ["dying", "die"],
    ["skies", "sky"],
    ["succeeding", "succeed"],
    ["sayings", "say"],
    ["youth", "youth"],
    ["controll", "control"],
    ["apologist", "apolog"],
  ])("of %s is %s", (word, expected) => {
    expect(stem(word)).toBe(expected);
  });

  it("leaves alone what is no English word", () => {
    for (const text of ["", "is", "häuser", "v2", "0x80070005", "東京", "get_user"]) expect(stem(text)).toBe(text);
  });

  it("is a text of the same letters for any word, and never empty", () => {
    const letters = fc.array(fc.constantFrom(...[..."abcdefghilmnorstuyY".toLowerCase()]), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(letters, (word) => {
        expect(stem(word.join(""))).toMatch(/^[a-z]+$/);
      }),
    );
  });
});
