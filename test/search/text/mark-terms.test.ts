import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { analyseWord } from "../../../src/search/text/analyse-word.ts";
import { markTerms } from "../../../src/search/text/mark-terms.ts";
import { scanWords } from "../../../src/search/text/scan-words.ts";
import { someCases, someRuns } from "../../helpers/some-cases.ts";

/** One character that is not ASCII, and every word of the text is looked at. */
const thoroughly = (text: string, terms: readonly string[]) => markTerms(`${text} \u00a7`, terms);

function termsOf(text: string): string[] {
  const terms = new Set<string>();
  scanWords(text, 0, text.length, (start, end) => {
    const { parts, others } = analyseWord(text.slice(start, end));
    for (const term of [...parts, ...others]) terms.add(term);
  });
  return [...terms];
}

const piece = fc.oneof(
  fc.constantFrom(
    "dying",
    "die",
    "lying",
    "ties",
    "tied",
    "skies",
    "sky",
    "capabilities",
    "conflated",
    "C++",
    "c",
    "C#",
    "c#foo",
    "e-mail",
  ),
  fc.constantFrom("email", "wi-fi", "getUserName", "user_names", "src/text/mark-terms.ts", "v1.12", "1.12", "x86"),
  fc.constantFrom("don't", "HTMLElement", "URLs", "a.-b", "--force", "python3", "organisations", "relational", "I"),
  fc.string({ unit: "binary-ascii", maxLength: 6 }),
);
const text = fc
  .array(fc.tuple(piece, fc.constantFrom(" ", "\n", ", ", "-", "_", ".", "/", "+", "#", "'", "")), { maxLength: 12 })
  .map((pieces) => pieces.flat().join(""));

it("SRCH-5 what a quick look leaves out has no match", () => {
  fc.assert(
    fc.property(text, text, (about, other) => {
      for (const term of termsOf(about)) {
        expect(markTerms(about, [term])).toEqual(thoroughly(about, [term]));
        expect(markTerms(other, [term])).toEqual(thoroughly(other, [term]));
      }
      expect(markTerms(other, termsOf(about))).toEqual(thoroughly(other, termsOf(about)));
    }),
    { numRuns: someRuns(400, 2000) },
  );
});

it("SRCH-5 the same in texts that people wrote, for each of their words", () => {
  const folder = new URL("../../../docs/", import.meta.url);
  const pages = readdirSync(folder).filter((name) => name.endsWith(".md"));
  expect(pages.length).toBeGreaterThan(2);
  for (const name of pages) {
    const lines = readFileSync(new URL(name, folder), "utf8")
      .replaceAll(/[^\0-\x7f]/g, " ")
      .split("\n");
    for (const line of someCases(lines, 60)) {
      for (const term of termsOf(line)) expect(markTerms(line, [term])).toEqual(thoroughly(line, [term]));
    }
  }
});
