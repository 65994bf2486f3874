import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createGuard } from "../../src/guard/guard.ts";
import { rules } from "../../src/guard/rules/all.ts";
import { made } from "../../src/guard/rules/made.ts";
import { someRuns } from "../helpers/some-cases.ts";

const guard = createGuard({ policy: "standard", allowed: new Set() });

/** What documentation puts in the place of a token, put beside a real one. */
const excuses = [
  "xxxxxx",
  "XXXXXXXXXXXX",
  "_example",
  "-example",
  "_xxxxxx",
  "-here",
  "_placeholder",
  "...",
  "…",
  "....",
  "***",
  "**",
  "0000000000",
  "<>",
  "<token>",
  "}}",
  " (placeholder)",
  " is an example",
  ", redacted",
  " # fake",
  "\nxxxxxx",
  "\n\nThis is a placeholder.",
  "\r\n...",
];
const openings = [
  "placeholder ",
  "example: ",
  "xxxxxx\n",
  "...\n",
  "... ",
  "***",
  "**",
  "_",
  "<",
  "{{",
  "> ",
  "- ",
  "# ",
  "(",
  "not a real one: ",
  "For example, ",
];
const pairs = [
  ["<", ">"],
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["**", "**"],
  ["*", "*"],
  ["__", "__"],
  ["~~", "~~"],
  ["[", "]"],
  ["(", ")"],
  ["{{", "}}"],
  ["${", "}"],
  ["%", "%"],
  ["<!-- example ", " -->"],
  ["```\n", "\n```"],
  ["xxxxxx ", " xxxxxx"],
] as const;

const examples = rules.flatMap(({ id, matches, knownByForm, startsWord }) =>
  matches.map((example) => ({ id, example, knownByForm, startsWord })),
);
const isFound = (text: string) => guard.scan(text).length > 0;
const missed = (texts: readonly string[]) => texts.filter((text) => !isFound(text));

describe("GUARD-4: nothing beside a secret excuses it", () => {
  it.each(examples)("GUARD-4 $id is found whatever follows", ({ example }) => {
    expect(missed(excuses.map((excuse) => example + excuse))).toEqual([]);
  });

  it.each(examples)("GUARD-4 $id is found whatever precedes", ({ example }) => {
    expect(missed(openings.map((opening) => opening + example))).toEqual([]);
  });

  it.each(examples)("GUARD-4 $id is found whatever stands around it", ({ example }) => {
    expect(missed(pairs.map(([before, after]) => before + example + after))).toEqual([]);
  });

  // A prefix of two or three letters also ends words: task-, break_, more_, monkey-. There a letter before it counts.
  it.each(examples.filter(({ knownByForm, startsWord }) => knownByForm && !startsWord))(
    "GUARD-4 $id is found with letters right before it",
    ({ example }) => {
      expect(missed(["xxxxxx", "example", "key", "X", "0"].map((opening) => opening + example))).toEqual([]);
    },
  );

  it("GUARD-4 any two of them together change nothing", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...examples),
        fc.constantFrom(...openings),
        fc.constantFrom(...pairs),
        fc.constantFrom(...excuses),
        ({ example }, opening, [before, after], excuse) => {
          expect(isFound(`${opening}${before}${example}${excuse}${after}`)).toBe(true);
        },
      ),
      { numRuns: someRuns(600, 3000) },
    );
  });

  it.each([
    ["a long tail of two letters", `Authorization: Bearer ${made(40)}${"ab".repeat(200)}`],
    ["words behind letters", `${"s"}k-${made(24)}${"placeholder".repeat(12)}`],
    ["filler in the middle", `${"gh"}p_${made(10)}xxxxxx${made(30)}`],
    ["a quoted sentence", `password: "${made(14)} is only a placeholder"`],
    ["a template", `password: "{${made(14)}}"`],
    ["angle brackets", `password: <${made(14)}>`],
  ])("GUARD-4 %s does not hide it", (_, text) => {
    expect(isFound(text)).toBe(true);
  });
});
