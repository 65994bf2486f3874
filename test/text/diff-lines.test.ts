import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines, type LineDiff } from "../../src/text/diff-lines.ts";
import { unifiedText } from "../../src/text/unified-text.ts";
import { processorTime } from "../helpers/processor-time.ts";
import { someRuns } from "../helpers/some-cases.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { edit, edited, text } from "./texts.ts";

/** The text after, from the text before and the hunks. */
function applied({ before, after, hunks }: LineDiff): string {
  const lines: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    lines.push(...before.slice(at, hunk.before.from), ...after.slice(hunk.after.from, hunk.after.to));
    at = hunk.before.to;
  }
  return [...lines, ...before.slice(at)].join("");
}

/** How many lines two texts have in common at most. */
function commonLines(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const line of a) {
    const next = [0];
    for (const [j, other] of b.entries()) {
      next.push(line === other ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

const folders = temporaryFolders();

describe("a diff by lines", () => {
  it("leads from the text before to the text after, with a common line between two hunks", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = diffLines(before, after);
        expect(applied(diff)).toBe(after);
        expect(diff.before.join("")).toBe(before);
        for (const [index, hunk] of diff.hunks.entries()) {
          expect(hunk.before.to - hunk.before.from + hunk.after.to - hunk.after.from).toBeGreaterThan(0);
          const next = diff.hunks[index + 1];
          if (next) expect(next.before.from).toBeGreaterThan(hunk.before.to);
        }
        expect(diffLines(before, before).hunks).toEqual([]);
      }),
      { numRuns: someRuns(2000, 5000) },
    );
  });

  it("is as short as can be where no line is there only once", () => {
    const fewLines = fc.array(fc.constantFrom("a\n", "b\n"), { minLength: 4, maxLength: 60 });
    fc.assert(
      fc.property(fewLines, fewLines, (a, b) => {
        const [before, after] = [
          [...a, "a\n", "a\n", "b\n", "b\n"],
          [...b, "a\n", "a\n", "b\n", "b\n"],
        ];
        const { hunks } = diffLines(before.join(""), after.join(""));
        const replaced = hunks.reduce((sum, hunk) => sum + hunk.before.to - hunk.before.from, 0);
        expect(before.length - replaced).toBe(commonLines(before, after));
      }),
      { numRuns: someRuns(400, 1000) },
    );
  });

  it("gives a patch that git applies, line ends and the missing one at the end included", () => {
    const folder = folders.make();
    execFileSync("git", ["init", "-q"], { cwd: folder });
    const inputs = fc.sample(fc.tuple(text, fc.array(edit, { maxLength: 4 }), fc.nat({ max: 4 })), 300);
    const changed = inputs.flatMap(([before, edits, context], index) => {
      const [name, after] = [`note-${index}.md`, edited(before, edits)];
      const patch = unifiedText(diffLines(before, after), { context, names: [`a/${name}`, `b/${name}`] });
      expect(patch === "").toBe(before === after);
      return before === after ? [] : [{ name, before, after, patch }];
    });
    for (const { name, before } of changed) writeFileSync(join(folder, name), before);
    // One process for all of them.
    const input = changed.map(({ patch }) => patch).join("");
    execFileSync("git", ["apply", "--unidiff-zero", "--whitespace=nowarn"], { cwd: folder, input });
    for (const { name, before, after, patch } of changed) {
      expect(readFileSync(join(folder, name), "utf8"), JSON.stringify({ before, patch })).toBe(after);
    }
  });

  const size = 1 << 20;
  const random = (seed: number, kinds: number) => {
    let state = seed;
    let made = "";
    while (made.length < size) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      made += `${String.fromCharCode(97 + ((state >>> 16) % kinds))}\n`;
    }
    return made;
  };
  const counted = (order: (count: number) => number) => {
    const lines = Math.floor(size / 8);
    return Array.from({ length: lines }, (_, index) => `${String(order(index) % lines).padStart(7, "0")}\n`).join("");
  };
  it.each([
    ["two letters in two random orders", random(1, 2), random(2, 2)],
    ["eight letters in two random orders", random(1, 8), random(2, 8)],
    ["blank lines against one letter", "\n".repeat(size), "a\n".repeat(size / 2)],
    ["numbers against the same ones backwards", counted((n) => n), counted((n) => size / 8 - n)],
    ["numbers against the same ones shuffled", counted((n) => n), counted((n) => n * 7919)],
    ["every second line changed", counted((n) => n), counted((n) => (n % 2 === 0 ? n : n + 1))],
    ["one long line", "a".repeat(size), `${"a".repeat(size - 1)}b`],
  ])("ends soon for a megabyte of %s", (_, before, after) => {
    expect(processorTime(() => diffLines(before, after))).toBeLessThan(4000);
  });
});
