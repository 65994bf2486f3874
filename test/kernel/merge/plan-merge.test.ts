import { describe, expect, it } from "vitest";
import { planMerge, revisionsOf } from "../../../src/kernel/merge/plan-merge.ts";

/** Revisions by their parents; what has two of them is a merge. */
function plan(parents: Readonly<Record<string, readonly string[]>>, ours: string, theirs: string) {
  const parentsOf = (id: string) => parents[id] ?? [];
  return planMerge({ parentsOf, isMerge: (id) => parentsOf(id).length > 1 }, ours, theirs);
}

const crossed = { a: ["o"], b: ["o"], ab: ["a", "b"], ba: ["b", "a"], x: ["ab"], y: ["ba"] };

describe("the plan of a merge", () => {
  it("takes the side that has everything", () => {
    expect(plan({ a: ["o"] }, "a", "o")).toEqual({ kind: "take", side: "ours" });
    expect(plan({ a: ["o"] }, "o", "a")).toEqual({ kind: "take", side: "theirs" });
    expect(plan({ ...crossed, c: ["ab"] }, "c", "ba")).toEqual({ kind: "take", side: "ours" });
  });

  it("chooses between two merges of the same revisions", () => {
    expect(plan(crossed, "ab", "ba")).toEqual({ kind: "choose" });
  });

  it("merges by the last common revision", () => {
    const one = { kind: "merge", base: { kind: "revision", id: "o" } } as const;
    expect(plan(crossed, "a", "b")).toEqual(one);
    expect([...revisionsOf(one)]).toEqual(["o"]);
    expect(plan({ a: [], b: [] }, "a", "b")).toEqual({ kind: "merge", base: { kind: "none" } });
  });

  it("merges the last common revisions first where there are several, the same on every clone", () => {
    const revision = (id: string) => ({ kind: "revision", id }) as const;
    const base = { kind: "merge", base: revision("o"), ours: revision("a"), theirs: revision("b") } as const;
    expect(plan(crossed, "x", "y")).toEqual({ kind: "merge", base });
    expect(plan(crossed, "y", "x")).toEqual({ kind: "merge", base });
    expect(revisionsOf({ kind: "merge", base })).toEqual(new Set(["o", "a", "b"]));
  });

  it("stays small where merges crossed again and again", () => {
    const parents: Record<string, readonly string[]> = { a0: ["o"], b0: ["o"], c0: ["o"] };
    for (let n = 1; n <= 200; n += 1) {
      for (const [one, other] of ["ab", "bc", "ca"] as const) {
        parents[`${one}${n}m`] = [`${one}${n - 1}`, `${other}${n - 1}`];
        parents[`${one}${n}`] = [`${one}${n}m`];
      }
    }
    const made = plan(parents, "a200", "b200");
    expect(made.kind).toBe("merge");
    expect(revisionsOf(made).size).toBeLessThan(200);
  });
});
