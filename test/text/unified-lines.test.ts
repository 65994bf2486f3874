import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unifiedLines } from "../../src/text/unified-text.ts";
import { edit, edited, text } from "./texts.ts";

const linesOf = (content: string) => content.replace(/\r?\n$/, "").split(/\r?\n/);

describe("the changes of a small file, for a person", () => {
  it("hold the text before and the text after, where all of it is to be shown", () => {
    fc.assert(
      fc.property(text, fc.array(edit, { maxLength: 4 }), (before, edits) => {
        const after = edited(before, edits);
        const lines = unifiedLines(before, after, [{ start: 0, end: after.length }]);
        if (lines.length === 0) {
          expect(linesOf(after)).toEqual(linesOf(before));
          return;
        }
        expect(lines[0]).toMatch(/^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@$/);
        const side = (other: string) =>
          lines.filter((line) => !line.startsWith("@@ ") && !line.startsWith(other)).map((line) => line.slice(1));
        expect(side("+")).toEqual(before === "" ? [] : linesOf(before));
        expect(side("-")).toEqual(after === "" ? [] : linesOf(after));
      }),
    );
  });

  it("are shown with two lines around them, and with the parts that are asked for", () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`);
    const [before, after] = [lines.join(""), lines.with(10, "ten\n").join("")];
    const start = after.indexOf("line 2");
    expect(unifiedLines(before, after, [{ start, end: after.indexOf("line 4") }])).toEqual([
      "@@ -3,2 +3,2 @@",
      " line 2",
      " line 3",
      "@@ -9,5 +9,5 @@",
      " line 8",
      " line 9",
      "-line 10",
      "+ten",
      " line 11",
      " line 12",
    ]);
  });

  it("are none where only line ends differ", () => {
    expect(unifiedLines("a\r\nb", "a\nb\n")).toEqual([]);
  });
});
