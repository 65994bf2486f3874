import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTopicFile, renderTopicFile } from "../../../src/notes/topics/topic-file.ts";
import { parseEntryHeading } from "../../../src/text/markdown-lines.ts";
import { processorTime } from "../../helpers/processor-time.ts";
import { someRuns } from "../../helpers/some-cases.ts";
import { markdown } from "./markdown.ts";

describe("a file of entries", () => {
  it("TOP-2 is the same bytes after it was parsed and rendered, whatever Markdown it is", () => {
    fc.assert(
      fc.property(fc.oneof(markdown, fc.string()), (text) => {
        expect(renderTopicFile(parseTopicFile(text))).toBe(text);
      }),
      { numRuns: someRuns(400, 2000) },
    );
  });

  it("TOP-2 begins each entry with its heading, and holds no heading outside of a fence in another entry", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const { preamble, entries } = parseTopicFile(text);
        for (const { raw, date, title } of entries) {
          expect(parseEntryHeading(raw.split("\n", 1)[0] ?? "")).toEqual({ date, title });
          // By itself it is one entry again, so what is moved to another file stays one.
          expect(parseTopicFile(raw)).toEqual({ preamble: "", entries: [{ raw, date, title }] });
        }
        expect(parseTopicFile(preamble).entries).toEqual([]);
      }),
      { numRuns: someRuns(200, 1000) },
    );
  });

  it.each([
    ["## 2026-11-15: A title", "A title"],
    ["## 2026-11-15: A title\r", "A title"],
    ["## 2026-11-15: ends with a colon:", "ends with a colon:"],
    ["## 2026-11-15:No blank", "No blank"],
    ["## 2026-11-15 - A title", "A title"],
    ["## 2026-11-15 – A title", "A title"],
    ["## 2026-11-15 — A title", "A title"],
    ["## 2026-11-15 -v is a flag", "-v is a flag"],
    ["## 2026-11-15\tA title", "A title"],
    ["##  2026-11-15: A title  ", "A title"],
    ["## 2026-11-15: a\u2028b", "a\u2028b"],
    ["## 2026-11-15:", ""],
    ["## 2026-11-15", ""],
  ])("TOP-1 takes %j for an entry", (line, title) => {
    expect(parseEntryHeading(line)).toEqual({ date: "2026-11-15", title });
  });

  it.each([
    "## Notes",
    "# 2026-11-15: A title",
    "### 2026-11-15: A title",
    " ## 2026-11-15: A title",
    "##2026-11-15: A title",
    "## 2026-11-15T10:00: A title",
    "## 2026-11-155: A title",
    "## 2026-13-15: A title",
    "## 2026-11-32: A title",
    "## 26-11-15: A title",
    "> ## 2026-11-15: A title",
  ])("TOP-1 does not take %j for one", (line) => {
    expect(parseEntryHeading(line)).toBeUndefined();
  });

  const inside = "## 2026-01-01: inside\n---\n";
  it.each([
    ["backticks", `\`\`\`md\n${inside}\`\`\`\n`],
    ["tildes", `~~~\n${inside}\`\`\`\n${inside}~~~\n`],
    ["a longer fence around a shorter one", `\`\`\`\`\n\`\`\`\n${inside}\`\`\`\n${inside}\`\`\`\`\n`],
    ["a fence below a byte order mark", `\uFEFF\`\`\`\n${inside}\`\`\`\n`],
    ["a fence with CRLF", `\`\`\`\r\n${inside}\`\`\`\r\n`],
    ["a fence behind a field's name, as people write it", `**Code:** \`\`\`ts\n${inside}\`\`\`\n`],
    ["an indented fence", `   \`\`\`\n${inside} \`\`\`\n`],
  ])("TOP-2 takes nothing inside of %s for an entry, and what follows for one", (_, fence) => {
    const { preamble, entries } = parseTopicFile(
      `${fence}## 2026-11-15: real\n${fence.replace("\uFEFF", "")}## 2026-11-14: next\n`,
    );
    expect(preamble).toBe(fence);
    expect(entries.map(({ title }) => title)).toEqual(["real", "next"]);
  });

  it("TOP-2 has a fence without an end hold everything below, as Markdown has it", () => {
    expect(parseTopicFile(`## 2026-11-15: real\n\`\`\`\n${inside}`).entries).toHaveLength(1);
  });

  it.each([
    ["blanks in a heading", `## 2026-11-15:${" ".repeat(500_000)}x`],
    ["blanks after a dash", `## 2026-11-15 -${" ".repeat(500_000)}x${" ".repeat(500_000)}y`],
    ["backticks", "`".repeat(1_000_000)],
    ["backticks and blanks", `${"`".repeat(500_000)}${" ".repeat(500_000)}x`],
    ["fences", "```a\n".repeat(200_000)],
    ["headings", "## 2026-11-15: x\n".repeat(60_000)],
  ])("TOP-2 parses a megabyte of %s in no time", (_, text) => {
    expect(processorTime(() => parseTopicFile(text))).toBeLessThan(2000);
  });
});
