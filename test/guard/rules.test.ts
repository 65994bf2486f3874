import { describe, expect, it } from "vitest";
import { createGuard } from "../../src/guard/guard.ts";
import { Effort, reachOf } from "../../src/guard/rule.ts";
import { rules } from "../../src/guard/rules/all.ts";
import { seedListRule } from "../../src/guard/rules/seed-list.ts";
import { unboundedPart } from "./pattern-bounds.ts";

const guard = createGuard({ policy: "standard", allowed: new Set() });
const every = [...rules, seedListRule];

describe("GUARD-2: the rules", () => {
  it("are more than 45, each with a name of its own", () => {
    expect(rules.length).toBeGreaterThan(45);
    expect(new Set(every.map(({ id }) => id)).size).toBe(every.length);
  });

  it.each(rules.map((rule) => [rule.id, rule] as const))("%s finds what it must and passes what it must", (_, rule) => {
    expect(rule.matches.length).toBeGreaterThan(0);
    expect(rule.passes.length).toBeGreaterThan(0);
    for (const example of rule.matches) {
      const found = guard.scan(`Before\n${example}\nafter`).map((finding) => finding.rule);
      expect({ example: example.slice(0, 12), found }).toEqual({
        example: example.slice(0, 12),
        found: expect.arrayContaining([rule.id]),
      });
    }
    for (const example of rule.passes) expect({ example, found: guard.scan(example) }).toEqual({ example, found: [] });
  });
});

describe("GUARD-5: every rule reads a bounded part of the text, and pays for it", () => {
  it.each(rules.flatMap(({ id, pattern }) => (pattern ? [[id, pattern] as const] : [])))(
    "%s is bounded",
    (_, pattern) => {
      expect(pattern.sticky).toBe(true);
      expect(unboundedPart(pattern.source)).toBeUndefined();
      // The widest are tokens of a few thousand characters; wider, a single failure would be dear.
      expect(reachOf(pattern).characters).toBeLessThan(9000);
    },
  );

  it("charges a failure for what may have been read, up to the blanks around it", () => {
    const reach = reachOf(/eyJ[a-z]{10,3200}\./y);
    const costOf = (text: string) => {
      const effort = new Effort(1000);
      effort.chargeFailure(text, 0, reach);
      return effort.spent;
    };
    expect(costOf("eyJ and more")).toBe(1);
    expect(costOf("eyJ".repeat(2000))).toBeGreaterThan(90);
  });

  it("holds against patterns that could", () => {
    expect(unboundedPart("(a+)+")).toBeDefined();
    expect(unboundedPart("a{3,}")).toBeDefined();
    expect(unboundedPart("(?:[a-z]{1,9} ){0,40}")).toBeDefined();
    expect(unboundedPart("[*+]\\+{1,2}(?:a|b){0,40}")).toBeUndefined();
  });
});
