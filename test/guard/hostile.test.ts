import { describe, expect, it } from "vitest";
import { createGuard } from "../../src/guard/guard.ts";
import { processorTime } from "../helpers/processor-time.ts";
import { someRuns } from "../helpers/some-cases.ts";
import { hostileTexts, ordinaryText, plainScan } from "./hostile.ts";
import { openJudge } from "./judge.ts";

/** A few in all of their length; below, every one of them in a short form. The bench has all of them in full. */
const texts = hostileTexts(256 * 1024).filter((_, index) => index % someRuns(160, 80) === 0);

describe("GUARD-5: hostile texts of up to 256 KiB", () => {
  const guard = createGuard({ policy: "strict", allowed: new Set() });

  it("end, however long they are", () => {
    // Ends at all is what this says; how fast is measured below, and by the bench on a machine that does nothing else.
    const slow = texts.filter((hostile) => processorTime(() => guard.scan(hostile.text)) >= 5000);
    expect(slow.map(({ name }) => name)).toEqual([]);
  });

  // A guard against regressions, generous since the machine does other things as well; the bench measures the 20 × of
  // GUARD-5. The least of several runs is what the text costs; the rest is what else happened.
  it("cost at most 60 × a plain scan of as long a text, the slowest of them too", () => {
    const standard = createGuard({ policy: "standard", allowed: new Set() });
    const least = (work: () => unknown, runs: number) =>
      Math.min(...Array.from({ length: runs }, () => processorTime(work)));
    const plainText = ordinaryText(256 * 1024);
    const plain = least(() => plainScan(plainText), 20);
    const slowest = hostileTexts(someRuns(512, 4096))
      .map(({ name, text }) => ({ name, time: least(() => standard.scan(text), 1) }))
      .toSorted((a, b) => b.time - a.time)
      .slice(0, someRuns(3, 8))
      .map(({ name }) => name);
    const whole = hostileTexts(256 * 1024).filter(({ name }) => slowest.includes(name));
    const dear = whole
      .map(({ name, text }) => ({ name, ratio: least(() => standard.scan(text), 3) / plain }))
      .filter(({ ratio }) => ratio > 60);
    expect(dear).toEqual([]);
  });

  it.each(["standard", "strict"] as const)(
    "are refused unread in their rest, and any change of it (%s)",
    async (policy) => {
      const guard = createGuard({ policy, allowed: new Set() });
      const before = "password=pwd.x(1 ".repeat(40_000);
      expect(guard.scan(before).map(({ rule }) => rule)).toContain("too-much-to-check");
      const judge = await openJudge({ policy, allowed: new Set() });
      const later = judge({ name: "a.md", nameBefore: "a.md", before, after: `${before}more` });
      expect(later.map(({ rule }) => rule)).toContain("too-much-to-check");
    },
  );
});
