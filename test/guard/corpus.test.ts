import { describe, expect, it } from "vitest";
import { createGuard } from "../../src/guard/guard.ts";
import { harmlessCases, secretCases } from "./corpus/corpus.ts";

const guard = createGuard({ policy: "standard", allowed: new Set() });
const secrets = secretCases();
const harmless = harmlessCases();

describe("GUARD-2: the labelled corpus", () => {
  it("is large and varied enough to say something", () => {
    expect(secrets.length).toBeGreaterThanOrEqual(600);
    expect(new Set(secrets.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(45);
    expect(new Set(harmless.map(({ content }) => content)).size).toBeGreaterThanOrEqual(800);
  });

  it.each(["tuning", "heldOut"] as const)("has at least 98 %% of its secrets found in the half %s", (half) => {
    const cases = secrets.filter((item) => item.half === half);
    const missed = cases.filter(({ name, content }) => guard.scan(content).length + guard.scanName(name).length === 0);
    expect(missed.length / cases.length, missed.map(({ kind }) => kind).join(", ")).toBeLessThanOrEqual(0.02);
  });

  it.each(["tuning", "heldOut"] as const)("has at most 0.5 %% of its harmless lines refused in the half %s", (half) => {
    const cases = harmless.filter((item) => item.half === half);
    const refused = cases.filter(({ content }) => guard.scan(content).length > 0);
    expect(refused.length / cases.length, refused.map(({ content }) => content).join("\n")).toBeLessThanOrEqual(0.005);
  });

  it("passes as one document, too", () => {
    const all = harmless.map(({ content }) => content).join("\n\n");
    expect(guard.scan(all).map(({ rule, line }) => `${rule} in line ${line}`)).toEqual([]);
  });
});
