import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentKinds } from "../../src/search/unit.ts";
import { splitDocument } from "../../src/search/units/split-document.ts";
import { createWeigher } from "../../src/search/weigh-document.ts";

const { weighDocument } = createWeigher();

function weigh(content: string, path = "note.md") {
  return weighDocument({ path, kind: "memory", content });
}

function impactsOf(term: string, ...contents: string[]): number[] {
  return contents.map((content) => weigh(content)[0]?.terms.get(term) ?? 0);
}

describe("SRCH-2 a term counts", () => {
  it("the more the more often it is there, ever less each time", () => {
    const [one = 0, two = 0, three = 0] = impactsOf("cat", "cat dog", "cat cat", "cat cat cat");
    expect(one).toBeLessThan(two);
    expect(three - two).toBeLessThan(two - one);
  });

  it("more in a short text than in a long one", () => {
    const [short = 0, long = 0] = impactsOf("cat", "cat and dog", `cat ${"and dog ".repeat(200)}`);
    expect(short).toBeGreaterThan(long);
  });

  it("more in the heading than in the text, and a little for what stands above", () => {
    const [, title, above] = weigh("# Cat\n\nA\n\n## Dog\n\nbird\n\n### Fish\n\nworm\n");
    expect(title?.terms.get("dog")).toBeGreaterThan(title?.terms.get("bird") ?? 0);
    expect(above?.terms.get("cat")).toBeGreaterThan(0);
    expect(above?.terms.get("dog")).toBeLessThan(title?.terms.get("dog") ?? 0);
  });

  it("by the path, the tags and other words of the front matter too", () => {
    const [unit] = weigh("---\ntags: [zebra]\nsummary: An okapi\n---\nText", "animals/wild-horse.md");
    for (const term of ["zebra", "okapi", "anim", "wild", "hors", "wildhors"])
      expect(unit?.terms.has(term), term).toBe(true);
    expect(unit?.terms.has("md")).toBe(false);
  });

  it("in the sections beside it, less with each step, and no further than two", () => {
    const units = weigh("## A\n\nwalrus\n\n## B\n\nx\n\n## C\n\nx\n\n## D\n\nx\n");
    const [own = 0, beside = 0, further = 0, none] = units.map(({ terms }) => terms.get("walrus"));
    expect(own).toBeGreaterThan(beside);
    expect(beside).toBeGreaterThan(further);
    expect(further).toBeGreaterThan(0);
    expect(none).toBeUndefined();
  });

  it("in no other section where it says little", () => {
    const units = weigh("## A\n\nthe walrus\n\n## B\n\nx\n");
    expect(units.map(({ terms }) => terms.has("the"))).toEqual([true, false]);
  });

  it("less in the depth of a piece of code than where that begins", () => {
    const code = [
      "```js",
      "function parrot() {",
      "  // says hello",
      "  a();",
      "  b();",
      "  toucan();",
      "}",
      "```",
    ].join("\n");
    const [unit] = weigh(code);
    expect(unit?.terms.get("parrot")).toBeGreaterThan(unit?.terms.get("toucan") ?? 0);
    expect(unit?.terms.get("toucan")).toBeGreaterThan(0);
  });

  it("by the date of its entry", () => {
    const [unit] = weighDocument({ path: "a/b.md", kind: "topic", content: "## 2026-05-01: Title\ntext" });
    expect(unit).toMatchObject({ date: "2026-05-01", text: "Title\ntext" });
    expect(unit?.terms.has("2026-05-01")).toBe(true);
  });
});

describe("SRCH-3 what a document is found by", () => {
  const document = fc.record({
    path: fc.stringMatching(/^[a-z]{1,8}(\/[a-z-]{1,8})?\.md$/),
    kind: fc.constantFrom(...documentKinds),
    content: fc
      .array(
        fc.oneof(
          fc.lorem({ maxCount: 8 }),
          fc.string({ unit: "binary", maxLength: 20 }),
          fc.constantFrom("\n# ", "\n\n## ", "\n```\n", "getUserName", "東京都", "\n## 2026-01-02: "),
        ),
        { maxLength: 20 },
      )
      .map((pieces) => pieces.join(" ")),
  });

  it("depends on that document alone, whatever was weighed before", () => {
    const seen = new Map<string, unknown>();
    const plain = (given: Parameters<typeof weighDocument>[0]) =>
      weighDocument(given).map(({ terms, ...unit }) => ({ ...unit, terms: [...terms] }));
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 5 }), (documents) => {
        for (const one of documents) seen.set(JSON.stringify(one), plain(one));
      }),
    );
    // More words than are remembered.
    for (let part = 0; part < 132; part += 1) {
      weigh(Array.from({ length: 2000 }, (_, word) => `w${part}x${word}y`).join(" "));
    }
    for (const [one, before] of seen) expect(plain(JSON.parse(one))).toEqual(before);
  });

  it("is parallel to its units, with impacts from 1 to 255", () => {
    fc.assert(
      fc.property(document, (one) => {
        const weighed = weighDocument(one);
        expect(weighed).toHaveLength(splitDocument(one).length);
        for (const { terms } of weighed) {
          expect(new Set(terms.keys()).size).toBe(terms.size);
          for (const [term, impact] of terms) {
            expect(term).not.toBe("");
            expect(impact).toBeGreaterThanOrEqual(1);
            expect(impact).toBeLessThanOrEqual(255);
            expect(terms.get(term)).toBe(impact);
          }
        }
      }),
    );
  });

  it.each([
    ["joints", "a.b/c_d-e'".repeat(1 << 17)],
    ["one word", "a".repeat(1 << 20)],
    ["humps", "aB".repeat(1 << 19)],
    ["Han", "東京".repeat(1 << 18)],
    ["words that come once", Array.from({ length: 150_000 }, (_, index) => `w${index}z`).join(" ")],
  ])("is told for a megabyte of %s", (_, content) => {
    for (const { terms } of weigh(content)) expect(terms.size).toBeGreaterThan(0);
  });
});
