import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { takeApart } from "../../src/http/dashboard/markdown/take-apart.ts";
import { readFrontMatter } from "../../src/search/units/front-matter.ts";
import { parseField, splitFrontMatter } from "../../src/text/front-matter.ts";
import { someRuns } from "../helpers/some-cases.ts";

const line = fc.oneof(
  fc.constantFrom("---", "--- ", "...", "----", "a: 1", "b:", "  c: 2", "- d", "# e", "## f", "text", "", "https://g"),
  fc.string({ maxLength: 6 }),
);
const text = fc
  .tuple(fc.constantFrom("", "\uFEFF"), fc.array(line, { maxLength: 8 }), fc.constantFrom("\n", "\r\n"))
  .map(([mark, lines, end]) => `${mark}---${end}${lines.join(end)}`);

describe("front matter (MEM-13)", () => {
  it("and the text below it are the whole, and it ends with the line that closes it", () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), (content) => {
        const { frontMatter, lines, body } = splitFrontMatter(content);
        expect(frontMatter + body).toBe(content);
        if (lines === undefined) {
          expect(frontMatter).toBe(content.startsWith("\uFEFF") ? "\uFEFF" : "");
          return;
        }
        expect(frontMatter).toMatch(/^\uFEFF?---[ \t]*\r?\n(?:[^\n]*\n)*(?:---|\.\.\.)\s*$/);
        // Whatever is put below it, it is the same.
        expect(splitFrontMatter(`${frontMatter.trimEnd()}\n${body}`).lines).toEqual(lines);
      }),
      { numRuns: someRuns(500, 5000) },
    );
  });

  it("ends at the same place for search and in the dashboard", () => {
    fc.assert(
      fc.property(text, (content) => {
        const { frontMatter, lines } = splitFrontMatter(content);
        expect(readFrontMatter(content).end).toBe(frontMatter.length);
        expect(takeApart(content)?.frontMatter).toBe(lines?.join("\n"));
      }),
      { numRuns: someRuns(100, 500) },
    );
  });

  it.each([
    ["fields", "---\na: 1\n---\nx", ["a: 1"]],
    ["nothing", "---\n---\nx", []],
    ["a byte order mark and CRLF", "\uFEFF---\r\na: 1\r\n---\r\nx", ["a: 1"]],
    ["dots at its end", "---\na: 1\n...\nx", ["a: 1"]],
    ["a comment and a blank line first", "---\n\n# for the site\na: 1\n---\nx", ["", "# for the site", "a: 1"]],
    ["a name of several words", "---\nDate created: today\n---\nx", ["Date created: today"]],
    ["a name in other letters", "---\n日付: today\n---\nx", ["日付: today"]],
    ["a text of several lines", "---\na: |\n  b\n\n  c\n---\nx", ["a: |", "  b", "", "  c"]],
    ["an odd line", "---\na: 1\nodd\n---\nx", ["a: 1", "odd"]],
  ])("may have %s", (_, content, lines) => {
    expect(splitFrontMatter(content)).toMatchObject({ lines, body: "x" });
  });

  it.each([
    ["two rules with text between them", "---\ntext\n---\nx"],
    ["two rules with a heading between them", "---\n# Title\n---\nx"],
    ["two rules with an entry between them", "---\na: 1\n## 2026-05-01: b\n---\nx"],
    ["a list", "---\n- a: 1\n---\nx"],
    ["a rule below text", "x\n---\na: 1\n---\n"],
    ["a longer rule", "----\na: 1\n----\nx"],
    ["what has no end", "---\na: 1\n"],
  ])("is not %s", (_, content) => {
    expect(splitFrontMatter(content)).toEqual({ frontMatter: "", lines: undefined, body: content });
  });

  it("has fields with a name and a value", () => {
    expect(["a: b: c", "a:", "a:b", " a: b", "https://a"].map(parseField)).toEqual([
      { name: "a", value: "b: c" },
      { name: "a", value: "" },
      undefined,
      undefined,
      undefined,
    ]);
  });
});
