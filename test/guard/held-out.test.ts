import { describe, expect, it } from "vitest";
import { publishedExamples } from "../../src/guard/example-values.ts";
import { createGuard } from "../../src/guard/guard.ts";
import { blindHarmless } from "./corpus/blind-harmless.ts";
import { blindSecrets } from "./corpus/blind-secrets.ts";
import { blindWords } from "./corpus/blind-words.ts";
import { fourthHarmless } from "./corpus/fourth-harmless.ts";
import { fourthSecrets } from "./corpus/fourth-secrets.ts";
import { fourthWords } from "./corpus/fourth-words.ts";
import { reviewHarmless } from "./corpus/review-harmless.ts";
import { reviewSecrets } from "./corpus/review-secrets.ts";
import { reviewWords } from "./corpus/review-words.ts";
import { surveyLines } from "./corpus/template.ts";
import { thirdHarmless } from "./corpus/third-harmless.ts";
import { thirdSecrets } from "./corpus/third-secrets.ts";
import { thirdWords } from "./corpus/third-words.ts";

const guard = createGuard({ policy: "standard", allowed: new Set() });

/**
 * Corpora that were written before the rules were tried on them: those of a review (449 lines of 492 found, 111 of 136,
 * 8 of 450 refused at its time) and our own after it, at their first run: 88 of 101, 57 of 60 and 0 of 100; then 230 of
 * 250, 105 of 120 and 0 of 300; then, by the guard that the third had repaired, 228 of 250, 113 of 120 and 0 of 300. Of
 * the last two, lines that differ in their values alone stand here once. The classes that they showed were repaired
 * since, so that they hold what was reached; a new figure needs a new corpus.
 */
const corpora = [
  ["review", reviewSecrets, reviewWords, reviewHarmless],
  ["blind", blindSecrets, blindWords, blindHarmless],
  ["third", thirdSecrets, thirdWords, thirdHarmless],
  ["fourth", fourthSecrets, fourthWords, fourthHarmless],
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
