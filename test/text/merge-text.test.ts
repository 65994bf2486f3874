import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeText } from "../../src/text/merge-text.ts";
import { processorTime } from "../helpers/processor-time.ts";
import { someRuns } from "../helpers/some-cases.ts";
import { threeTexts } from "./texts.ts";

const marker = /^(?:<{7}|={7}|>{7}|\|{7})/m;

describe("a merge of texts", () => {
  it.each([
    ["changes in different places", "a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n"],
    ["changes of neighbouring lines", "a\nb\n", "A\nb\n", "a\nB\n", "A\nB\n"],
    ["the same change on both sides, once", "a\nb\n", "a\nx\nb\n", "a\nx\nb\n", "a\nx\nb\n"],
    ["the same line put in, with a change below it on one side", "a\nb\n", "a\nx\nb\n", "a\nx\nB\n", "a\nx\nB\n"],
    ["the same line put in, with a change above it on one side", "a\nb\n", "a\nx\nb\n", "A\nx\nb\n", "A\nx\nb\n"],
    ["two lines appended", "a\n", "a\nx\n", "a\ny\n", "a\nx\ny\n"],
    ["two lines appended where the last line has no end", "a", "a\nx", "a\ny", "a\nx\ny"],
    ["an appended line and a missing line end mended", "a", "a\n", "a\nx", "a\nx\n"],
    ["one side that goes on where the other ends", "a\n", "a\nx\n", "a\nx\ny\n", "a\nx\ny\n"],
    ["two cuts that overlap", "a\nb\nc\nd\n", "a\n", "d\n", ""],
    ["a cut, and a line put in at its edge", "a\nb\nc\n", "a\nc\n", "a\nx\nb\nc\n", "a\nx\nc\n"],
    ["CRLF, kept", "a\r\nb\r\n", "A\r\nb\r\n", "a\r\nb\r\nc\r\n", "A\r\nb\r\nc\r\n"],
  ])("takes %s", (_, base, ours, theirs, content) => {
    expect(mergeText(base, ours, theirs)).toEqual({ kind: "merged", content });
    expect(mergeText(base, theirs, ours)).toEqual({ kind: "merged", content });
  });

  it.each([
    ["two changes of one line", "a\nb\nc\n", "a\nx\nc\n", "a\ny\nc\nd\n", "a\nx\nc\nd\n", "a\ny\nc\nd\n"],
    ["a change of what the other side took out", "a\nb\nc\n", "a\nc\n", "a\nB\nc\n", "a\nc\n", "a\nB\nc\n"],
    ["a line put into what the other side took out", "a\nb\nc\n", "", "a\nb\nx\nc\n", "", "a\nb\nx\nc\n"],
  ])("calls %s a conflict, and takes everything else into both versions", (_, base, ours, theirs, left, right) => {
    expect(mergeText(base, ours, theirs)).toMatchObject({ kind: "conflict", ours: left, theirs: right });
    expect(mergeText(base, theirs, ours)).toMatchObject({ kind: "conflict", ours: right, theirs: left });
  });

  it("says which lines are in conflict", () => {
    const merged = mergeText("a\nb\nc\n", "a\nx\nc\n", "a\ny\nz\nc\n");
    expect(merged).toMatchObject({
      regions: [{ lines: { from: 1, to: 2 }, base: "b\n", ours: "x\n", theirs: "y\nz\n" }],
    });
  });

  it("does not depend on which side is ours", () => {
    fc.assert(
      fc.property(threeTexts, ({ base, ours, theirs }) => {
        const [one, other] = [mergeText(base, ours, theirs), mergeText(base, theirs, ours)];
        if (one.kind === "merged") expect(other).toEqual(one);
        else expect(other).toMatchObject({ kind: "conflict", ours: one.theirs, theirs: one.ours });
      }),
      { numRuns: someRuns(1000, 5000) },
    );
  });

  it("changes nothing where one side did not", () => {
    fc.assert(
      fc.property(threeTexts, ({ base, ours }) => {
        for (const merged of [mergeText(base, ours, ours), mergeText(base, base, ours), mergeText(base, ours, base)]) {
          expect(merged).toEqual({ kind: "merged", content: ours });
        }
      }),
      { numRuns: someRuns(1000, 5000) },
    );
  });

  it("loses no line that a side added, brings back none that a side took out, and makes none up", () => {
    // Every line says who wrote it, so that each is there once.
    const edits = fc.array(fc.record({ at: fc.nat({ max: 20 }), cut: fc.nat({ max: 3 }), added: fc.nat({ max: 3 }) }), {
      maxLength: 5,
    });
    const apply = (
      base: readonly string[],
      who: string,
      all: readonly { at: number; cut: number; added: number }[],
    ) => {
      const lines = [...base];
      for (const [edit, { at, cut, added }] of all.entries()) {
        const fresh = Array.from({ length: added }, (_, index) => `${who}${edit}.${index}`);
        lines.splice(at % (lines.length + 1), cut, ...fresh);
      }
      return lines;
    };
    fc.assert(
      fc.property(fc.nat({ max: 20 }), edits, edits, fc.boolean(), (length, forUs, forThem, hasEnd) => {
        const base = Array.from({ length }, (_, index) => `base${index}`);
        const [ours, theirs] = [apply(base, "ours", forUs), apply(base, "theirs", forThem)];
        const toText = (lines: readonly string[]) =>
          lines
            .map((line) => `${line}\n`)
            .join("")
            .slice(0, hasEnd ? undefined : -1);
        const merged = mergeText(toText(base), toText(ours), toText(theirs));
        const versions = merged.kind === "merged" ? [merged.content] : [merged.ours, merged.theirs];
        const lines = new Set(versions.flatMap((version) => version.split("\n")));
        const expected = [...new Set([...base, ...ours, ...theirs])].filter((line) =>
          base.includes(line) ? ours.includes(line) && theirs.includes(line) : true,
        );
        expect(expected.filter((line) => !lines.has(line))).toEqual([]);
        if (merged.kind === "merged") {
          expect(
            merged.content
              .split("\n")
              .filter((line) => line !== "")
              .toSorted(),
          ).toEqual(expected.toSorted());
        }
        expect(versions.join("\n")).not.toMatch(marker);
      }),
      { numRuns: someRuns(1000, 5000) },
    );
  });

  it.each([
    ["lines", (n: number) => `${n % 3}\n`, (n: number) => `${(n * 7) % 5}\n`, (n: number) => `${(n * 11) % 4}\n`],
    [
      "numbers",
      (n: number) => `${n}\n`,
      (n: number) => `${n % 3 ? n : -n}\n`,
      (n: number) => `${n % 5 ? n : -n - 1}\n`,
    ],
  ])("ends soon for a megabyte of %s that both sides changed", (_, base, ours, theirs) => {
    const big = (line: (n: number) => string) => Array.from({ length: 200_000 }, (_, n) => line(n)).join("");
    const texts = [big(base), big(ours), big(theirs)] as const;
    expect(processorTime(() => mergeText(...texts))).toBeLessThan(6000);
  });
});
