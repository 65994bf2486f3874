import { describe, expect, it } from "vitest";
import { planRecall, planSearch } from "../../src/search/plan-search.ts";

const roots = [{ root: "memory", kind: "topic" }] as const;
const warningsOf = (query: string) => planSearch({ query }, roots).warnings;

describe("SRCH-1 a plan says what of a query it did not take as it was probably meant", () => {
  it("SRCH-1 a date that is none", () => {
    expect(warningsOf("since:yesterday cache")).toEqual([
      "“since:yesterday” was taken for words: a date is written 2026-11-15, 2026-11 or 2026.",
    ]);
    expect(warningsOf(`until:${"x".repeat(1000)} cache`)[0]?.length).toBeLessThan(200);
  });

  it("SRCH-1 a root that there is not", () => {
    expect(warningsOf("chown root:root /srv")).toEqual(["“root:root” was taken for words: there is no such root."]);
  });

  it.each(["cache", "since:2026-01 until:2026 topic:build path:a/** root:memory cache", '"the since:ever" flag'])(
    "SRCH-1 nothing of “%s”",
    (query) => {
      expect(warningsOf(query)).toEqual([]);
    },
  );

  it("SRCH-4 nothing of a task, in which signs mean nothing", () => {
    expect(planRecall("since:yesterday root:root fails", roots).warnings).toEqual([]);
  });

  it("SRCH-1 which filters it has, one by one", () => {
    const { narrowings } = planSearch({ query: "x topic:build since:2026", path: "a/**" }, roots);
    expect(narrowings.map(({ says }) => says)).toEqual([
      "There is nothing in a topic “build”.",
      "There is nothing with a path that fits “a/**”.",
      "There is nothing of the days from 2026-01-01 on.",
    ]);
  });
});
