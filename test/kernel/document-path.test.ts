import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comparePaths, parseDocumentPath, parseExistingPath } from "../../src/app.ts";
import { maxSegments, segmentRules } from "../../src/kernel/document-path.ts";
import { someRuns } from "../helpers/some-cases.ts";

function ruleOf(path: string, parse: (text: string) => unknown = parseDocumentPath): unknown {
  try {
    parse(path);
    return undefined;
  } catch (error) {
    return (error as { data: { rule: string } }).data.rule;
  }
}

describe("document paths", () => {
  it.each([
    ["", "empty"],
    ["/a", "absolute"],
    ["C:/a", "absolute"],
    ["\\\\server\\share", "absolute"],
    ["a//b", "empty-segment"],
    ["a/", "empty-segment"],
    ["a/./b", "dot-segment"],
    ["../a", "dot-segment"],
    ["a\\b", "backslash"],
    ["a\u0000", "control"],
    ["a\nb", "control"],
    ["a\u202eb", "bidi"],
    ["a\u200bb", "invisible"],
    ["a\u{e0041}b", "invisible"],
    ["\ud800", "ill-formed"],
    [".env", "leading-dot"],
    ["-rf", "leading-dash"],
    ["~/x", "leading-tilde"],
    ["a.", "trailing-dot"],
    ["a ", "trailing-blank"],
    ["a\u3000", "trailing-blank"],
    ["e\u0301", "normalisation"],
    ["a|b", "reserved-character"],
    ["nul.md", "windows-reserved"],
    ["x/COM¹", "windows-reserved"],
    ["GIT~1", "reserved-place"],
    ["%2e%2e", "encoded"],
    ["%252e%252e%252fx", "encoded"],
    ["％2e", "encoded"],
    ["．．", "encoded"],
    ["a／b", "encoded"],
    ["é".repeat(101), "segment-length"],
    [`${"a/".repeat(16)}a`, "too-deep"],
  ])("KER-1 %j breaks the rule %s", (path, rule) => {
    expect(ruleOf(path)).toBe(rule);
  });

  it.each([
    "a",
    "a.b.c.md",
    "x..y",
    "100%.md",
    "con-tent",
    "console.md",
    "日本語/メモ.md",
    "é".repeat(100),
    `${"a/".repeat(15)}a`,
  ])("KER-1 accepts %j", (path) => {
    expect(parseDocumentPath(path)).toBe(path);
  });

  it("KER-1 AGT-3 takes no more segments than may be, also where each is a plain name", () => {
    expect(parseDocumentPath("a", 1)).toBe("a");
    for (const [path, most] of [
      ["a/b", 1],
      ["a/b/c", 2],
    ] as const) {
      const refusal = { code: "INVALID_PATH", data: { rule: "too-deep" } };
      expect(() => parseDocumentPath(path, most)).toThrowError(expect.objectContaining(refusal));
    }
  });

  it("KER-1 GUARD-3 a refusal names the rule and the number of the segment, and never shows the name", () => {
    for (const [parse, path, rule] of [
      [parseDocumentPath, "good/b\u200bad", "invisible"],
      [parseDocumentPath, "good/bad.", "trailing-dot"],
      [parseExistingPath, "good/ba\0d", "control"],
    ] as const) {
      const refusal = { code: "INVALID_PATH", data: { rule, segment: 2 } };
      expect(() => parse(path)).toThrowError(expect.objectContaining(refusal));
      expect(() => parse(path)).toThrowError(/^Invalid path: segment 2 of 2 holds|^Invalid path: segment 2 of 2 ends/);
    }
    expect(() => parseDocumentPath("bad.")).toThrowError(/^Invalid path: it ends with a dot\. Give/);
  });

  it("KER-1 whatever is accepted stays inside, in one spelling, for any text", () => {
    const text = fc.oneof(fc.string({ unit: "binary", maxLength: 30 }), fc.stringMatching(/^[a-z./\\%2eE~: -]{0,20}$/));
    fc.assert(
      fc.property(text, (path) => {
        if (ruleOf(path) !== undefined) return;
        const segments = path.split("/");
        expect(segments).not.toContain("..");
        expect(segments).not.toContain(".");
        expect(segments).not.toContain("");
        expect(path).toBe(path.normalize("NFC"));
        expect(path).not.toMatch(/[\\:\0]/);
        expect(parseExistingPath(path)).toBe(path);
      }),
      { numRuns: someRuns(400, 2000) },
    );
  });

  it("KER-1 KER-2 usual paths are known at a glance, and that agrees with the rules one by one", () => {
    const parts = [
      "con",
      "COM1",
      "nul",
      "a",
      "b",
      "_",
      "-",
      ".",
      ".md",
      "..",
      "/",
      "/",
      "~",
      "1",
      " ",
      "\u00b9",
      "git",
      "\n",
    ];
    const breaks = (segment: string) => segmentRules.some(({ refuses }) => refuses(segment));
    const path = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 40 }).map((chosen) => chosen.join(""));
    fc.assert(
      fc.property(path, (text) => {
        const segments = text.split("/");
        expect(ruleOf(text) === undefined).toBe(segments.length <= maxSegments && !segments.some(breaks));
        const leadsOut = segments.some((segment) => ["", ".", "..", ".git"].includes(segment));
        expect(ruleOf(text, parseExistingPath) === undefined).toBe(!leadsOut);
      }),
      { numRuns: someRuns(400, 2000) },
    );
  });

  it("KER-2 existing names may break naming rules, but lead nowhere else", () => {
    for (const name of ["a:b.md", "e\u0301.md", "~x", "-x", "CON"]) expect(parseExistingPath(name)).toBe(name);
    for (const name of [
      "",
      "/a",
      "C:\\a",
      "a/../b",
      "a//b",
      "a\0b",
      ".git/config",
      ".GIT",
      ".recollect/lock",
      "x/.recollect",
    ]) {
      expect(ruleOf(name, parseExistingPath), name).toBeDefined();
    }
  });

  it("comparePaths orders like the bytes of UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (left, right) => {
        const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
        expect(Math.sign(comparePaths(left, right))).toBe(bytes);
      }),
    );
  });
});
