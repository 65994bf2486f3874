import { describe, expect, it } from "vitest";
import { createGuard } from "../../src/guard/guard.ts";
import { processorTime } from "../helpers/processor-time.ts";
import { hostileTexts } from "./hostile.ts";
import { openJudge } from "./judge.ts";

/** Every one of them in an eighth of the length, and an eighth of them in all of it. */
const texts = [...hostileTexts(32 * 1024), ...hostileTexts(256 * 1024).filter((_, index) => index % 8 === 0)].map(
  ({ name, text }) => [name, text.length / 1024, text] as const,
);

describe("GUARD-5: hostile texts of up to 256 KiB", () => {
  const guard = createGuard({ policy: "strict", allowed: new Set() });

  it.each(texts)("%s: %d KiB end", (_name, _length, text) => {
    // Ends at all is what this says; how fast is measured by the bench, on a machine that does nothing else.
    expect(processorTime(() => guard.scan(text))).toBeLessThan(5000);
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
