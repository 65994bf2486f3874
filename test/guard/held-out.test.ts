import { describe, expect, it } from "vitest";
import { publishedExamples } from "../../src/guard/example-values.ts";
import { createGuard } from "../../src/guard/guard.ts";
import { blindHarmless } from "./corpus/blind-harmless.ts";
import { blindSecrets } from "./corpus/blind-secrets.ts";
import { blindWords } from "./corpus/blind-words.ts";
import { eighthHarmless } from "./corpus/eighth-harmless.ts";
import { eighthSecrets } from "./corpus/eighth-secrets.ts";
import { eighthWords } from "./corpus/eighth-words.ts";
import { eleventhHarmless } from "./corpus/eleventh-harmless.ts";
import { fifthHarmless } from "./corpus/fifth-harmless.ts";
import { fifthSecrets } from "./corpus/fifth-secrets.ts";
import { fifthWords } from "./corpus/fifth-words.ts";
import { fourteenthHarmless } from "./corpus/fourteenth-harmless.ts";
import { fourteenthWords } from "./corpus/fourteenth-words.ts";
import { fourthHarmless } from "./corpus/fourth-harmless.ts";
import { fourthSecrets } from "./corpus/fourth-secrets.ts";
import { fourthWords } from "./corpus/fourth-words.ts";
import { nearMisses } from "./corpus/near-misses.ts";
import { ninthHarmless } from "./corpus/ninth-harmless.ts";
import { ninthSecrets } from "./corpus/ninth-secrets.ts";
import { ninthWords } from "./corpus/ninth-words.ts";
import { reviewHarmless } from "./corpus/review-harmless.ts";
import { reviewSecrets } from "./corpus/review-secrets.ts";
import { reviewWords } from "./corpus/review-words.ts";
import { seventhHarmless } from "./corpus/seventh-harmless.ts";
import { seventhSecrets } from "./corpus/seventh-secrets.ts";
import { seventhWords } from "./corpus/seventh-words.ts";
import { siblingSecrets, siblingWords } from "./corpus/siblings.ts";
import { sixthHarmless } from "./corpus/sixth-harmless.ts";
import { sixthSecrets } from "./corpus/sixth-secrets.ts";
import { sixthWords } from "./corpus/sixth-words.ts";
import { surveyLines } from "./corpus/template.ts";
import { tenthHarmless } from "./corpus/tenth-harmless.ts";
import { tenthSecrets } from "./corpus/tenth-secrets.ts";
import { tenthWords } from "./corpus/tenth-words.ts";
import { thirdHarmless } from "./corpus/third-harmless.ts";
import { thirdSecrets } from "./corpus/third-secrets.ts";
import { thirdWords } from "./corpus/third-words.ts";
import { thirteenthHarmless } from "./corpus/thirteenth-harmless.ts";
import { thirteenthSecrets } from "./corpus/thirteenth-secrets.ts";
import { thirteenthWords } from "./corpus/thirteenth-words.ts";
import { twelfthWords } from "./corpus/twelfth-words.ts";

const guard = createGuard({ policy: "standard", allowed: new Set() });

/**
 * Corpora that were written before the rules were tried on them: those of a review (449 lines of 492 found, 111 of
 * 136, 8 of 450 refused at its time) and our own after it, at their first run: 88 of 101, 57 of 60 and 0 of 100; then
 * 230 of 250, 105 of 120 and 0 of 300; then 228 of 250, 113 of 120 and 0 of 300; then, by the guard that the fourth
 * had repaired, 257 of 260, 111 of 120 and 3 of 300, and in a second one 252 of 260, 112 of 120 and 2 of 300 (the
 * worst of three seeds). A seventh was written without a look at the rules, and with programs, calls and layouts that
 * the others lack: 423 of 484, 103 of 120 and 0 of 389. An eighth, whose second part is passwords of people in any
 * place where they stand, at its first run by the guard that the seventh had repaired: 252 of 260, 101 of 120 and 8
 * of 300; then a ninth, by the guard that the eighth had repaired: 248 of 260, 110 of 120 and 2 of 300; and a tenth
 * 257 of 260, 114 of 120 and 2 of 300, and of 600 more harmless lines 2. A twelfth, whose words stand anywhere around
 * their values: 253 of 260, 78 of 120 and 2 of 300; its words are kept here, and were read in 110 of 120 then; of 150
 * lines more of that kind 113, and of 300 harmless ones 1. A thirteenth, with recovery phrases, passphrases in quotes,
 * codes and logins in all ten languages: 247 of 250, 157 of 200 and 1 of 400. Of the third and fourth, lines that differ in
 * their values alone stand here once. The classes that each showed were repaired since, so that they hold what was
 * reached; a new figure needs a new corpus. The siblings were written with the rules in view: other members of the
 * classes of the seventh and the eighth, and lines that come close to what the rules for them look for.
 */
const corpora = [
  ["review", reviewSecrets, reviewWords, reviewHarmless],
  ["blind", blindSecrets, blindWords, blindHarmless],
  ["third", thirdSecrets, thirdWords, thirdHarmless],
  ["fourth", fourthSecrets, fourthWords, fourthHarmless],
  ["fifth", fifthSecrets, fifthWords, fifthHarmless],
  ["sixth", sixthSecrets, sixthWords, sixthHarmless],
  ["seventh", seventhSecrets, seventhWords, seventhHarmless],
  ["eighth", eighthSecrets, eighthWords, eighthHarmless],
  ["ninth", ninthSecrets, ninthWords, ninthHarmless],
  ["tenth", tenthSecrets, tenthWords, `${tenthHarmless}${eleventhHarmless}`],
  ["thirteenth", thirteenthSecrets, thirteenthWords, thirteenthHarmless],
  ["siblings", siblingSecrets, siblingWords, nearMisses],
] as const;

function shareFound(text: string, seed: number, isFound: boolean) {
  const lines = surveyLines(text, seed);
  const labels = lines.filter(({ content }) => guard.scan(content).length > 0 === isFound).map(({ label }) => label);
  return { labels: labels.join(", "), share: labels.length / lines.length };
}

// Other values each time: a figure that holds for one seed alone is luck.
const seeds = [3, 1411, 90_210];

describe.each(corpora)("GUARD-2 the corpus %s", (_name, secrets, words, harmless) => {
  it.each(seeds)("GUARD-2 has at least 95 percent of its secrets found, with the seed %d", (seed) => {
    const { labels, share } = shareFound(secrets, seed, false);
    expect(share, labels).toBeLessThanOrEqual(0.05);
  });

  it.each(seeds)("GUARD-2 has at least 90 percent of its lines in ten languages found, with the seed %d", (seed) => {
    const { labels, share } = shareFound(words, seed, false);
    expect(share, labels).toBeLessThanOrEqual(0.1);
  });

  it.each(seeds)("GUARD-2 has at most 0.5 percent of its harmless lines refused, with the seed %d", (seed) => {
    const { labels, share } = shareFound(harmless, seed, true);
    expect(share, labels).toBeLessThanOrEqual(0.005);
  });
});

describe("GUARD-2 a value anywhere in the line of its word", () => {
  it.each(seeds)("GUARD-2 is found in at least 90 percent of the lines in ten languages, with the seed %d", (seed) => {
    const { labels, share } = shareFound(twelfthWords, seed, false);
    expect(share, labels).toBeLessThanOrEqual(0.1);
  });
});

/**
 * Written without a look at the rules, by the guard that the thirteenth had repaired: 153 of 200 lines and 2 of 400. No
 * rule was made from it yet, so it says what is still missed: misspelled words, combinations of safes, phrases without
 * quotes, short codes far from their word.
 */
describe("GUARD-2 passwords in the words that people use", () => {
  it("GUARD-2 are found in three of four lines in ten languages", () => {
    const { labels, share } = shareFound(fourteenthWords, 3, false);
    expect(share, labels).toBeLessThanOrEqual(0.25);
  });

  it("GUARD-2 do not have more than 0.5 percent of harmless lines refused", () => {
    const { labels, share } = shareFound(fourteenthHarmless, 3, true);
    expect(share, labels).toBeLessThanOrEqual(0.005);
  });
});

describe("GUARD-2 published example values", () => {
  it.each(publishedExamples.map((value, index) => [index, value] as const))("GUARD-2 example %d passes", (_, value) => {
    for (const text of [value, `token: ${value}`, `see \`${value}\` there`]) expect(guard.scan(text)).toEqual([]);
  });

  it("GUARD-4 one with a letter more is none", () => {
    const found = publishedExamples.filter(
      (value) => guard.scan(`token: "${value.slice(0, 12)}Zq7${value.slice(12)}"`).length > 0,
    );
    expect(found.length).toBe(publishedExamples.length);
  });
});
