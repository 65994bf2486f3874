import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeTopic } from "../../../src/notes/topics/merge-entries.ts";
import { parseTopicFile } from "../../../src/notes/topics/topic-file.ts";
import { processorTime } from "../../helpers/processor-time.ts";
import { someRuns } from "../../helpers/some-cases.ts";
import { markdown } from "./markdown.ts";

function entry(title: string, text = `about ${title}`, date = "2026-11-15"): string {
  return `## ${date}: ${title}\n**Problem:** ${text}\n\n---\n\n`;
}

function titles(text: string): string[] {
  return parseTopicFile(text).entries.map(({ title }) => title);
}

/** The same whichever side is ours. */
function merge(base: string | undefined, ours: string, theirs: string) {
  const merged = mergeTopic(base, ours, theirs);
  expect(mergeTopic(base, theirs, ours)).toEqual(merged);
  return merged;
}

const [a, b, c, x, y] = ["a", "b", "c", "x", "y"].map((title) => entry(title)) as [
  string,
  string,
  string,
  string,
  string,
];

describe("a merge of a file of entries", () => {
  it("keeps both sides' new entries, on top", () => {
    expect(merge(a + b, x + a + b, y + a + b)).toEqual({ kind: "merged", content: x + y + a + b });
  });

  it("is the same from both sides where copies of an entry differ in their line ends alone", () => {
    const [crlf, lf] = ["## 2026-11-11: x\r\n", "## 2026-11-11: x\n"];
    expect(titles(merge(crlf, lf + lf + crlf, crlf + crlf).content)).toEqual(["x", "x", "x"]);
  });

  it("puts the later date first where both sides stored, and keeps the order of each side", () => {
    const [late, old] = [entry("late", "1", "2026-11-20"), entry("old", "2", "2026-01-01")];
    expect(titles(merge(a, x + old + a, late + a).content)).toEqual(["late", "x", "old", "a"]);
  });

  it("keeps the entries of two files that were made on both sides", () => {
    expect(merge(undefined, x + a, y)).toEqual({ kind: "merged", content: x + a + y });
  });

  it("leaves out what one side deleted and the other did not touch", () => {
    expect(merge(a + b + c, a + c, x + a + b + c)).toEqual({ kind: "merged", content: x + a + c });
  });

  it("keeps an entry that one side changed and the other deleted", () => {
    const changed = entry("b", "changed");
    expect(merge(a + b + c, a + c, a + changed + c)).toEqual({ kind: "merged", content: a + changed + c });
  });

  it("merges two changes of one entry as text", () => {
    const fields = (context: string, solution: string) =>
      `## 2026-11-15: a\n**Context:** ${context}\n**Problem:** p\n**Solution:** ${solution}\n\n---\n\n`;
    const merged = merge(fields("1", "2") + b, fields("one", "2") + b, fields("1", "two") + b);
    expect(merged).toEqual({ kind: "merged", content: fields("one", "two") + b });
  });

  it("keeps both versions, as two entries, of one that both changed in the same line", () => {
    const [one, other] = [entry("a", "in our words"), entry("a", "in words of theirs")];
    expect(merge(a + b, one + b, other + b)).toEqual({ kind: "merged", content: other + one + b, doubled: ["a"] });
  });

  it("knows an entry again whose title one side mended", () => {
    const [before, mended] = [entry("tpyo", "text"), entry("typo", "text")];
    const changed = before.replace("---", "**Owner:** me\n\n---");
    const merged = merge(before + b, mended + b, changed + b);
    expect(titles(merged.content)).toEqual(["typo", "b"]);
    expect(merged.content).toContain("**Owner:** me");
  });

  it("TOP-3 keeps the same entry, stored on both sides, once", () => {
    expect(merge(a, x + a, x.replaceAll("\n---\n\n", "\n") + a).content).toBe(x + a);
    expect(merge(a, x + y + a, y + x + a).content).toHaveLength((x + y + a).length);
  });

  it("takes the order of the side that changed it", () => {
    expect(merge(a + b + c, c + a + b, x + a + b + c).content).toBe(c + x + a + b);
  });

  it("merges what stands before the first entry as text, and keeps both where that cannot be", () => {
    expect(merge(`# T\n\n${a}`, `# T\n\nOurs.\n\n${a}`, `# T\n\n${x}${a}`).content).toBe(`# T\n\nOurs.\n\n${x}${a}`);
    expect(merge(`# T\n\n${a}`, `# Ours\n\n${x}${a}`, `# Theirs\n\n${a}`)).toEqual({
      kind: "conflict",
      content: `# Theirs\n\n${x}${a}`,
      beside: "# Ours\n\n",
    });
  });

  it("TOP-2 lets no fence that is left open, and no missing line end, swallow an entry of the other side", () => {
    const open = "## 2026-11-14: open\n```\ncode";
    const merged = merge(a, open, x + a);
    expect(titles(merged.content)).toEqual(["x", "open"]);
    const below = merge(a + open, `${a}${open}\nmore`, `${a}${open}\n\`\`\`\n${x}`);
    expect(titles(below.content)).toEqual(["a", "open", "x"]);
    const handMade = merge("", open, "## 2026-11-13: last").content;
    expect(titles(handMade)).toEqual(["open", "last"]);
  });

  it("TOP-4 loses nothing where one side pruned what the other changed", () => {
    const changed = entry("c", "changed");
    const archived = entry("c", "old").replace("\n", "\n**Archived from:** sub\n");
    expect(merge(a + b + c, x + a + b, a + b + changed).content).toBe(x + a + b + changed);
    expect(merge(undefined, archived, entry("z")).content).toContain(archived);
  });

  it("keeps what one side only indented and the other took out: it became code", () => {
    const indented = "## 2026-11-14: a\n    x\n";
    expect(merge("## 2026-11-14: a\nx\n", indented, "").content).toBe(indented);
  });

  it("TOP-4 USE-13 what one side took out of the archive stays out, and what both pruned is there once", () => {
    expect(merge(a + b, a, x + a + b).content).toBe(x + a);
    expect(merge(a, x + a, y + x + a).content).toBe(y + x + a);
    const from = (subtopic: string) => x.replace("\n", `\n**Archived from:** ${subtopic}\n`);
    expect(merge(a, from("one") + a, from("two") + a).content).toBe(from("one") + from("two") + a);
  });

  it("changes nothing where one side did not, whatever Markdown it is", () => {
    fc.assert(
      fc.property(markdown, markdown, (base, side) => {
        expect(mergeTopic(base, base, side).content).toBe(side);
        expect(mergeTopic(base, side, base).content).toBe(side);
        expect(mergeTopic(base, side, side).content).toBe(side);
        expect(mergeTopic(undefined, side, side).content).toBe(side);
      }),
      { numRuns: someRuns(400, 2000) },
    );
  });

  it("is total and the same whichever side is ours, and keeps every new entry, whatever Markdown it is", () => {
    fc.assert(
      fc.property(fc.option(markdown, { nil: undefined }), markdown, markdown, (base, ours, theirs) => {
        const merged = merge(base, ours, theirs);
        const all = merged.kind === "conflict" ? `${merged.content}\n${merged.beside}` : merged.content;
        const linesOf = (text: string) => text.replaceAll("\uFEFF", "").split(/\r?\n/);
        const lines = new Set(linesOf(all));
        const before = new Set(linesOf(base ?? ""));
        // Blanks and the separator at its end are not what an entry says.
        const isText = (line: string) => !/^\s*-*\s*$/.test(line);
        const added = linesOf(`${ours}\n${theirs}`).filter((line) => isText(line) && !before.has(line));
        expect(added.filter((line) => !lines.has(line))).toEqual([]);
      }),
      { numRuns: someRuns(1000, 5000) },
    );
  });

  it("TOP-2 keeps entries that neither side touched byte for byte, wherever they land", () => {
    const some = fc.array(markdown, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(some, some, some, (base, ours, theirs) => {
        const parts = (texts: readonly string[]) => texts.flatMap((text) => parseTopicFile(text).entries);
        const closedOnes = (texts: readonly string[]) =>
          parts(texts).filter(
            ({ raw }) => raw.endsWith("\n") && parseTopicFile(`${raw}## 2026-01-01: z\n`).entries.length === 2,
          );
        const [known, mine, other] = [closedOnes(base), closedOnes(ours), closedOnes(theirs)].map((entries) =>
          entries.map(({ raw }) => raw),
        ) as [string[], string[], string[]];
        const merged = merge(known.join(""), [...mine, ...known].join(""), [...other, ...known].join(""));
        const left = parseTopicFile(merged.content).entries.map(({ raw }) => raw);
        for (const raw of known) expect(left).toContain(raw);
      }),
      { numRuns: someRuns(200, 1000) },
    );
  });

  it("ends soon for a megabyte of entries", () => {
    const many = (seed: number) =>
      Array.from({ length: 30_000 }, (_, n) => `## 2026-11-15: ${(n * seed) % 9973}\ntext\n\n`).join("");
    expect(processorTime(() => mergeTopic(many(1), many(3), many(7)))).toBeLessThan(10_000);
  });
});
