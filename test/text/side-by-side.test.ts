import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SideBySideRow, sideBySide } from "../../src/text/side-by-side.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`);

describe("HIST-1 a diff side by side", () => {
  it("HIST-1 shows lines that changed beside each other, and three lines around them", () => {
    const before = numbered(20);
    const rows = sideBySide(before.join(""), before.with(9, "ten\n").join(""));
    expect(rows.map(({ kind, count }) => (count === undefined ? kind : `${kind} ${count}`))).toEqual([
      "skipped 6",
      ...Array(3).fill("same"),
      "changed",
      ...Array(3).fill("same"),
      "skipped 7",
    ]);
  });

  it("HIST-1 has nothing to show where both are alike", () => {
    expect(sideBySide("a\nb\n", "a\nb\n")).toEqual([]);
    expect(sideBySide("", "")).toEqual([]);
  });

  it("HIST-1 shows a line rather than that one was left out", () => {
    const before = ["x\n", ...numbered(7), "y\n"];
    const rows = sideBySide(before.join(""), before.with(0, "X\n").with(8, "Y\n").join(""));
    expect(rows.filter(({ kind }) => kind === "skipped")).toEqual([]);
    expect(rows).toHaveLength(9);
  });

  it("HIST-1 every line of both texts is in one row or in one that was skipped, in order", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 40 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const rows = sideBySide(before, after);
        if (before === after) {
          expect(rows).toEqual([]);
          return;
        }
        for (const side of ["left", "right"] as const) {
          const all = (side === "left" ? before : after).split("\n");
          const lines = all.at(-1) === "" ? all.slice(0, -1) : all;
          expect(linesOf(rows, side, lines)).toEqual(lines);
        }
      }),
    );
  });
});

function linesOf(rows: readonly SideBySideRow[], side: "left" | "right", lines: readonly string[]): string[] {
  return rows.flatMap((row) => {
    const at = row[side];
    if (!at) return [];
    if (row.kind === "skipped") return lines.slice(at.line - 1, at.line - 1 + (row.count ?? 0));
    return [at.text];
  });
}
