import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuery } from "../../src/search/query.ts";

const wordsOf = (text: string) =>
  parseQuery(text)
    .terms.filter(({ weight }) => weight === 1)
    .map(({ term }) => term);

describe("SRCH-2 the words of a query", () => {
  it("are stemmed, once each, without those that say little", () => {
    expect(wordsOf("How did we index the Indexes?")).toEqual(["index"]);
  });

  it("are kept where there are no others", () => {
    expect(wordsOf("to be or not to be")).toEqual(["to", "be", "or", "not"]);
  });

  it("say for which word a term stands", () => {
    expect(parseQuery("Rotating keys").terms).toEqual([
      { term: "rotat", weight: 1, word: "Rotating" },
      { term: "key", weight: 1, word: "keys" },
      { term: "rotatingkey", weight: 0.25, word: "Rotating keys" },
    ]);
  });

  it("ask for an identifier as a whole, and less for its parts", () => {
    const { terms } = parseQuery("getUserName");
    expect(terms.map(({ term, weight }) => [term, weight])).toEqual([
      ["getusernam", 1],
      ["get", 0.5],
      ["user", 0.5],
      ["name", 0.5],
    ]);
  });

  it("do not ask for the small number in a name", () => {
    expect(parseQuery("oauth2 hunter2hunter2 PRB-142").terms.map(({ term }) => term)).toEqual([
      "oauth2",
      "oauth",
      "hunter2hunter2",
      "hunter",
      "prb142",
      "prb",
      "142",
    ]);
  });

  it("ask for pairs in a script without blanks", () => {
    expect(wordsOf("東京の天気")).toEqual(["東京", "京の", "の天", "天気"]);
    expect(wordsOf("猫")).toEqual(["猫"]);
  });
});

describe("SRCH-1 what else a query can say", () => {
  it("phrases, which are words too", () => {
    const { phrases, terms } = parseQuery('deploy "to the staging server" "one" now');
    expect(phrases).toEqual([["to", "the", "stage", "server"]]);
    expect(terms.map(({ term }) => term)).toEqual(expect.arrayContaining(["deploy", "stage", "server", "one", "now"]));
  });

  it("what must not be there", () => {
    const parsed = parseQuery("cache -redis -snake_case --force - -");
    expect(parsed.excluded).toEqual(["redi", "snakecas"]);
    expect(wordsOf("cache -redis --force")).toEqual(["cach", "forc"]);
  });

  it("filters", () => {
    const { filters, terms } = parseQuery('topic:auth Path:src/** root:"my notes" since:2026-01-02 until:2026-03 key');
    expect(filters).toEqual({
      topic: "auth",
      path: "src/**",
      root: "my notes",
      since: "2026-01-02",
      until: "2026-03-31",
    });
    expect(terms.map(({ term }) => term)).toEqual(["key"]);
  });

  it.each([
    ["foo:bar", ["foo", "bar"]],
    ["since:yesterday", ["sinc", "yesterday"]],
    ["https://example.com", ["https", "examplecom"]],
    ["topic:", ["topic"]],
    ["std::vector", ["std", "vector"]],
    ["it's 5 o'clock", ["5", "oclock"]],
  ])("%s is just words", (text, words) => {
    expect(parseQuery(text).filters).toEqual({});
    expect(wordsOf(text)).toEqual(words);
  });

  it("which of it was meant as a filter, and is none", () => {
    expect(parseQuery('since:yesterday Until:"last week" since:2026 cache -since:x').noDates).toEqual([
      "since:yesterday",
      "until:last week",
    ]);
    expect(parseQuery("since: yesterday, until then").noDates).toEqual([]);
  });

  it("a quote that is never closed goes on to the end", () => {
    expect(parseQuery('find "rate limit').phrases).toEqual([["rate", "limit"]]);
    expect(parseQuery('"').terms).toEqual([]);
  });

  it("anything, within bounds", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.string({ unit: fc.constantFrom('"', "-", ":", " ", "a", "topic:", "1", "/", "東", "'"), maxLength: 4000 }),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        const { terms, phrases, excluded } = parseQuery(text);
        expect(terms.length).toBeLessThanOrEqual(64);
        expect(new Set(terms.map(({ term }) => term)).size).toBe(terms.length);
        expect(phrases.length).toBeLessThanOrEqual(8);
        expect(excluded.length).toBeLessThanOrEqual(32);
        for (const { weight } of terms) expect(weight).toBeGreaterThan(0);
      }),
    );
    expect(parseQuery("word ".repeat(1 << 20)).terms.length).toBeLessThanOrEqual(64);
    expect(parseQuery('"a'.repeat(1 << 20)).phrases.length).toBeLessThanOrEqual(8);
  });
});
