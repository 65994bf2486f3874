import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesGlob } from "../../src/kernel/glob.ts";
import { processorTime } from "../helpers/processor-time.ts";
import { someRuns } from "../helpers/some-cases.ts";

/** The plainest way to say it: try every way to cut the text. Only for short ones. */
function naively(pattern: string, text: string, atSegment = true): boolean {
  if (pattern === "") return text === "";
  const stars = /^\*+/.exec(pattern)?.[0] ?? "";
  const rest = pattern.slice(stars.length);
  if (stars.length >= 2 && atSegment && rest.startsWith("/")) {
    return cuts(text).some(([head, tail]) => (head === "" || head.endsWith("/")) && naively(rest.slice(1), tail, true));
  }
  if (stars !== "") {
    return cuts(text).some(
      ([head, tail]) => (stars.length > 1 || !head.includes("/")) && naively(rest, tail, rest.startsWith("*")),
    );
  }
  const [first, ...others] = text;
  const [wanted, ...patternRest] = pattern;
  if (first === undefined || (wanted === "?" ? first === "/" : wanted !== first)) return false;
  return naively(patternRest.join(""), others.join(""), wanted === "/");
}

function cuts(text: string): [string, string][] {
  const characters = [...text];
  return Array.from({ length: characters.length + 1 }, (_, at) => [
    characters.slice(0, at).join(""),
    characters.slice(at).join(""),
  ]);
}

describe("a glob", () => {
  it.each([
    ["frozen/**", "frozen/a", true],
    ["frozen/**", "frozen/a/b", true],
    ["frozen/**", "frozen", false],
    ["frozen/**", "frozen-too/a", false],
    ["frozen/*", "frozen/a/b", false],
    ["**/law", "law", true],
    ["**/law", "a/b/law", true],
    ["**/law", "outlaw", false],
    ["a/**/b", "a/b", true],
    ["a/**/b", "a/x/y/b", true],
    ["a/**/b", "a/xb", false],
    ["a**", "ab/c", true],
    ["*", "", true],
    ["*", "a/b", false],
    ["**", "a/b", true],
    ["?", "👩", true],
    ["?", "/", false],
    ["", "", true],
    ["", "a", false],
    ["a.b", "axb", false],
    ["[a]", "[a]", true],
    ["(a+)+$", "(a+)+$", true],
    ["A", "a", false],
  ])("MEM-12 %j against %j is %j", (pattern, text, expected) => {
    expect(matchesGlob(pattern, text)).toBe(expected);
  });

  it("MEM-12 matches as the plainest reading does", () => {
    const pattern = fc.array(fc.constantFrom("a", "b", "/", "*", "**", "?", "**/", "é"), { maxLength: 7 });
    const text = fc.array(fc.constantFrom("a", "b", "/", "é", "👩"), { maxLength: 7 });
    fc.assert(
      fc.property(pattern, text, (pieces, characters) => {
        const [glob, subject] = [pieces.join(""), characters.join("")];
        expect(matchesGlob(glob, subject)).toBe(naively(glob, subject));
      }),
      { numRuns: someRuns(600, 3000) },
    );
  });

  it.each([
    ["*a".repeat(100), "a".repeat(2000)],
    ["**/a/".repeat(60), "a/".repeat(1000)],
    ["?*".repeat(200), "a".repeat(2000)],
    [`${"*".repeat(5000)}b`, "a".repeat(2000)],
    [`${"**/".repeat(2000)}b`, "a/".repeat(500)],
  ])("MEM-12 a hostile pattern ends soon (%#)", (pattern, text) => {
    const takes = processorTime(() => expect(matchesGlob(`${pattern}!`, text)).toBe(false));
    expect(takes).toBeLessThan(500);
  });
});
