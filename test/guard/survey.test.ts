import { describe, expect, it } from "vitest";
import { createGuard } from "../../src/guard/guard.ts";
import { surveyHarmless } from "./corpus/survey-harmless.ts";
import { surveySecrets } from "./corpus/survey-secrets.ts";
import { surveyWords } from "./corpus/survey-words.ts";
import { type SurveyLine, surveyLines } from "./corpus/template.ts";

const guard = createGuard({ policy: "standard", allowed: new Set() });
const secrets = surveyLines(surveySecrets, 20_261_118);
const words = surveyLines(surveyWords, 42);
const harmless = surveyLines(surveyHarmless, 7);
const halves = ["developed", "heldOut"] as const;

/** The labels of what was, or was not, found: they name no rule, and no value. */
function labelsOf(lines: readonly SurveyLine[], half: SurveyLine["half"], isFound: boolean) {
  const own = lines.filter((line) => line.half === half);
  const labels = own.filter(({ content }) => guard.scan(content).length > 0 === isFound).map(({ label }) => label);
  return { labels, share: labels.length / own.length };
}

describe("GUARD-2 a survey that was written without a look at the rules", () => {
  it("GUARD-2 is large enough to say something", () => {
    expect(secrets.length).toBeGreaterThanOrEqual(280);
    expect(words.length).toBeGreaterThanOrEqual(150);
    expect(new Set(words.map(({ label }) => label)).size).toBe(10);
    expect(harmless.length).toBeGreaterThanOrEqual(330);
  });

  it.each(halves)("GUARD-2 has at least 95 percent of its secrets found in the half %s", (half) => {
    const { labels, share } = labelsOf(secrets, half, false);
    expect(share, labels.join(", ")).toBeLessThanOrEqual(0.05);
  });

  it.each(halves)("GUARD-2 has at least 90 percent of its lines in ten languages found in the half %s", (half) => {
    const { labels, share } = labelsOf(words, half, false);
    expect(share, labels.join(", ")).toBeLessThanOrEqual(0.1);
  });

  // Of both halves together: half of them are too few to tell one false alarm from 0.5 %.
  it("GUARD-2 has at most 0.5 % of its harmless lines refused", () => {
    const labels = halves.flatMap((half) => labelsOf(harmless, half, true).labels);
    expect(labels.length / harmless.length, labels.join(", ")).toBeLessThanOrEqual(0.005);
  });

  it("GUARD-4 an example key excuses no secret on its line, and no value is in a finding", () => {
    const real = `${"gh"}p_${"aZ3kQ9pL7xW2mB8vR5tN1cH6yD4gF0sJeUiO"}`;
    const found = guard.scan(`AKIAIOSFODNN7EXAMPLE and pk_live_x, then ${real}`);
    expect(found.map(({ rule }) => rule)).toEqual(["github-token"]);
    expect(JSON.stringify(found)).not.toContain(real);
  });
});
