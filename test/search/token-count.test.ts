import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/cl100k_base";
import { beforeAll, describe, expect, it } from "vitest";
import { type CountTokens, loadTokenCount } from "../../src/search/token-count.ts";

let count: CountTokens;

beforeAll(async () => {
  count = await loadTokenCount();
});

describe("SRCH-4 the token count of recall", () => {
  it.each([
    ["", 0],
    ["Run the tests before the linter.", 8],
    ["getUserName(id)", 4],
    ["记忆", 3],
  ])("SRCH-4 is that of a real tokenizer: %j has %i", (text, tokens) => {
    expect(count(text)).toBe(tokens);
  });

  it("SRCH-4 takes a mark of a chat for the text that it is", () => {
    expect(count("a <|endoftext|> b")).toBeGreaterThan(3);
  });

  it("SRCH-4 is exactly the tokenizer's where no run of characters is very long", () => {
    const plain = { disallowedSpecial: new Set<string>() };
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        expect(count(text)).toBe(countTokens(text, plain));
      }),
    );
  });

  it.each(["a", "A", "=", " ", "\n", "记", "é", "אב", "\u0301", "👍"])(
    "SRCH-4 of an endless run of %j is found in no time, and is never less than the tokenizer's",
    (unit) => {
      expect(count(unit.repeat(2_000))).toBeGreaterThanOrEqual(countTokens(unit.repeat(2_000)));
      expect(count(unit.repeat(100_000))).toBeGreaterThan(500);
    },
  );
});
