import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fingerprintOf } from "../../src/guard/finding.ts";
import { createGuard } from "../../src/guard/guard.ts";
import { refusalOf } from "../../src/guard/refusal.ts";
import { rules } from "../../src/guard/rules/all.ts";
import { openJudge } from "./judge.ts";

const policies = ["standard", "strict", "warn"] as const;
const examples = rules.flatMap(({ matches, passes, anchors }) => [...matches, ...passes, ...anchors]);

/** Any text, and texts that are made of what the rules look for. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc
    .array(fc.oneof(fc.constantFrom(...examples), fc.string({ unit: "grapheme", maxLength: 12 })), { maxLength: 12 })
    .map((parts) => parts.join("")),
);

describe("GUARD-1: for any text", () => {
  it.each(policies)("the policy %s never throws, says the same each time, and counts from 1", (policy) => {
    const guard = createGuard({ policy, allowed: new Set() });
    const again = createGuard({ policy, allowed: new Set() });
    fc.assert(
      fc.property(text, (content) => {
        const found = guard.scan(content);
        expect(again.scan(content)).toEqual(found);
        const lines = content.split("\n");
        for (const { line, column, fingerprint } of found) {
          expect(fingerprint).toMatch(/^[0-9a-f]{32}$/);
          expect(line).toBeGreaterThanOrEqual(1);
          expect(column).toBeGreaterThanOrEqual(1);
          expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
        }
      }),
    );
  });

  it("an edit that changes nothing, or only takes away at the end, adds nothing", async () => {
    const judge = await openJudge({ policy: "standard", allowed: new Set() });
    fc.assert(
      fc.property(text, (content) => {
        expect(judge({ name: "a.md", before: content, after: content })).toEqual([]);
        expect(judge({ name: content, nameBefore: content, before: content, after: content })).toEqual([]);
        expect(judge({ name: "a.md", before: content, after: "" })).toEqual([]);
      }),
    );
  });

  it("what was allowed is found no more", () => {
    const guard = createGuard({ policy: "standard", allowed: new Set() });
    fc.assert(
      fc.property(text, (content) => {
        const allowed = new Set(guard.scan(content).map(({ fingerprint }) => fingerprint));
        expect(createGuard({ policy: "standard", allowed }).scan(content)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});

describe("GUARD-3: for any value", () => {
  it("no finding and no refusal holds it", () => {
    const guard = createGuard({ policy: "standard", allowed: new Set() });
    const value = fc.stringMatching(/^[A-Za-z0-9]{9}[0-9][a-z][A-Z][0-9]{2}[A-Za-z]{2}$/);
    fc.assert(
      fc.property(value, (secret) => {
        const found = guard.scan(`note\nclient_secret = "${secret}"\n`);
        const said = JSON.stringify(found) + refusalOf(found).message;
        expect(said).not.toContain(secret);
        expect(said).not.toContain(secret.slice(0, 8));
      }),
    );
  });

  it("fingerprints are stable and of 128 bits", () => {
    expect(fingerprintOf("a", "b")).toBe(fingerprintOf("a", "b"));
    expect(fingerprintOf("a", "b")).not.toBe(fingerprintOf("b", "b"));
    expect(fingerprintOf("github-token", "x")).toMatch(/^[0-9a-f]{32}$/);
  });
});
