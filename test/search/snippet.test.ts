import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskCharacter } from "../../src/guard/mask.ts";
import { toSnippet } from "../../src/search/snippet.ts";

function matchesOf(text: string, ...words: string[]) {
  return words.flatMap((word) =>
    [...text.matchAll(new RegExp(word, "gi"))].map(({ index }) => ({ from: index, to: index + word.length })),
  );
}

/** The snippet with its marks in brackets. */
function shown(text: string, ...words: string[]): string {
  const { text: snippet, marks } = toSnippet(text, matchesOf(text, ...words));
  return marks.reduceRight(
    (marked, { from, to }) => `${marked.slice(0, from)}[${marked.slice(from, to)}]${marked.slice(to)}`,
    snippet,
  );
}

const filler = "Nothing of interest is said in this sentence, and it says so at length. ";

describe("SRCH-5 a snippet", () => {
  it("SRCH-5 shows a short text whole, on one line, with every match marked", () => {
    expect(shown("The cache\nis keyed  by\tthe lockfile.\n", "cache", "lockfile")).toBe(
      "The [cache] is keyed by the [lockfile].",
    );
  });

  it("SRCH-5 shows the place where different words stand together, not the first that matches", () => {
    const text = `A cache. ${filler.repeat(8)}The key of the cache is the lockfile. ${filler.repeat(8)}`;
    const snippet = shown(text, "cache", "key", "lockfile");
    expect(snippet).toContain("The [key] of the [cache] is the [lockfile].");
    expect(snippet).toMatch(/^….*…$/);
    expect(snippet.length).toBeLessThanOrEqual(250);
    expect(snippet.length).toBeGreaterThan(180);
  });

  it("SRCH-5 leaves the title's line out, which is shown beside it, unless nothing else matches", () => {
    expect(shown("## Cache\n\nThe cache is keyed.\n", "cache")).toBe("The [cache] is keyed.");
    const long = `## Cache\n\n${filler.repeat(5)}The cache is keyed.\n`;
    expect(shown(long, "cache")).toMatch(/^….*The \[cache\] is keyed\.$/);
    expect(shown("## Cache key\n\nIt is the lockfile.", "cache")).toBe("[Cache] key It is the lockfile.");
    expect(shown("## Cache key\n\nIt is the lockfile.")).toBe("It is the lockfile.");
    expect(shown("## Cache")).toBe("Cache");
  });

  it("SRCH-5 leaves an underlined title out as well, and every underline", () => {
    expect(shown("Cache\n=====\n\nThe cache is keyed.\n", "cache")).toBe("The [cache] is keyed.");
    expect(shown("\nCache key\r\n---\r\n\r\nIt is the lockfile.")).toBe("It is the lockfile.");
    expect(shown("Cache key\n===\n\nIt is the lockfile.", "key")).toBe("Cache [key] It is the lockfile.");
    expect(shown("First.\n\nCache\n=====\n\nSecond.")).toBe("First. Cache Second.");
    expect(shown("a = b\nc == d\n")).toBe("a = b c == d");
  });

  it("SRCH-5 cuts between words", () => {
    const text = `${"abcdefghi ".repeat(60)}needle ${"jklmnopqr ".repeat(60)}`;
    const words = shown(text, "needle")
      .replaceAll(/[[\]…]/g, "")
      .split(" ");
    expect(new Set(words)).toEqual(new Set(["abcdefghi", "needle", "jklmnopqr"]));
  });

  it("SRCH-5 keeps code readable: without fences and indents, nothing else taken away", () => {
    const text =
      'Use it so:\n\n```ts\n  const x = await open("a");\n  // a comment\n  # another\n  x **= 2;\n```\nDone.';
    expect(shown(text, "open")).toBe('Use it so: const x = await [open]("a"); // a comment # another x **= 2; Done.');
  });

  it("TOP-10 shows an entry's fields without their stars", () => {
    const text = "## 2026-01-02: Stale\n**Context:** T-1\n**Problem:** old cache\n\n---\n";
    expect(shown(text, "cache")).toBe("Context: T-1 Problem: old [cache]");
  });

  it("GUARD-3 shows no more of what is masked than that something is", () => {
    const text = `The token is ${maskCharacter.repeat(40)} here.`;
    expect(toSnippet(text, [{ from: 20, to: 30 }])).toEqual({ text: "The token is ░░░ here.", marks: [] });
    expect(toSnippet(text, [{ from: 10, to: 30 }])).toMatchObject({ marks: [{ from: 10, to: 13 }] });
    expect(toSnippet(maskCharacter.repeat(5_000), []).text).toBe("░░░…");
  });

  it("SRCH-5 of text without blanks is cut at whole characters", () => {
    const snippet = toSnippet(`${"记忆".repeat(300)}缓存${"记忆".repeat(300)}`, [{ from: 600, to: 602 }]);
    expect(snippet.text).toMatch(/^…(记忆|忆|记)+缓存(记忆|记)+…$/);
    expect(snippet.marks.map(({ from, to }) => snippet.text.slice(from, to))).toEqual(["缓存"]);
    const family = "👨‍👩‍👧‍👦";
    const emoji = toSnippet(family.repeat(200), [{ from: 1100, to: 1111 }]).text.replaceAll("…", "");
    expect(emoji.replaceAll(family, "")).toBe("");
  });

  it("SRCH-5 is one well-formed line within the limit, with its marks in order, for any text and any ranges", () => {
    const range = fc.record({ from: fc.nat(3_000), length: fc.nat(300) });
    const unit = fc.constantFrom("grapheme", "binary");
    const text = unit.chain((kind) => fc.string({ unit: kind as "binary", maxLength: 2_000 }));
    const spread = fc
      .array(fc.oneof(fc.constantFrom("\n", "  ", "word ", "\ud800", "░░", "**a:** ", "```\n"), text))
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(spread, fc.array(range, { maxLength: 30 }), (content, ranges) => {
        const matches = ranges.map(({ from, length }) => ({ from, to: from + length }));
        const snippet = toSnippet(content, matches);
        expect(snippet.text).not.toMatch(/[\n\r\t\u0085\u2028]|\p{Cc}|\p{Cs}| {2}/u);
        expect(snippet.text.length).toBeLessThanOrEqual(242);
        let at = 0;
        for (const { from, to } of snippet.marks) {
          expect(from).toBeGreaterThanOrEqual(at);
          expect(to).toBeGreaterThan(from);
          expect(snippet.text.slice(from, to)).not.toContain(maskCharacter);
          at = to;
        }
        expect(at).toBeLessThanOrEqual(snippet.text.length);
      }),
    );
  });

  it.each([" ", "a", "\n", "░", "```\n", "**", "\u0301", "e\u0301", "-", "=", "\ud83d"])(
    "SRCH-5 of a megabyte of %j is found in no time",
    (unit) => {
      const text = unit.repeat(1_000_000 / unit.length);
      const ranges = Array.from({ length: 20_000 }, (_, index) => ({ from: index * 40, to: index * 40 + 3 }));
      expect(toSnippet(text, ranges).text.length).toBeLessThanOrEqual(242);
    },
  );
});
