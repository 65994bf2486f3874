import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Entry, readEntry, renderEntry } from "../../../src/notes/topics/entry.ts";
import { parseTopicFile, type RawEntry } from "../../../src/notes/topics/topic-file.ts";
import { processorTime } from "../../helpers/processor-time.ts";
import { someRuns } from "../../helpers/some-cases.ts";
import { entry, text } from "./markdown.ts";

const plain: Entry = { date: "2026-11-15", title: "t", context: "c", problem: "p", solution: "s" };

function onlyEntry(rendered: string): RawEntry {
  const { preamble, entries } = parseTopicFile(rendered);
  expect([preamble, entries.length]).toEqual(["", 1]);
  return entries[0] as RawEntry;
}

const normal = (given: string) => given.replace(/\r\n?/g, "\n").trim();

/** Code keeps the indentation of its first line; a fence without a language around all of it is how it is written down. */
function normalCode(given: string): string {
  const code = given.replace(/\r\n?/g, "\n").replace(/^\n+/, "").trimEnd();
  const [first = "", ...rest] = code.split("\n");
  const isClosing = (line: string) => /^ {0,3}`+\s*$/.test(line) && line.trim().length >= first.trim().length;
  const isBare = /^ {0,3}`{3,}$/.test(first) && rest.length > 0 && rest.findIndex(isClosing) === rest.length - 1;
  return isBare ? rest.slice(0, -1).join("\n") : code;
}

function expected({ context, problem, solution, code }: Entry): Record<string, string> {
  const fields = { context: normal(context), problem: normal(problem), solution: normal(solution) };
  const given = Object.entries(fields).filter(([, value]) => value !== "");
  return Object.fromEntries(code === undefined || code.trim() === "" ? given : [...given, ["code", normalCode(code)]]);
}

/** Trimming, as it is asked for, also of code that keeps its own fence. */
function trimmed(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.trim()]));
}

describe("an entry", () => {
  it("TOP-1 is written as the seed has it", () => {
    expect(renderEntry({ ...plain, title: "Token refresh", code: "retry(3)" })).toBe(
      "## 2026-11-15: Token refresh\n**Context:** c\n**Problem:** p\n**Solution:** s\n**Code:**\n```\nretry(3)\n```\n\n---\n\n",
    );
  });

  it("TOP-2 is read back with every field as it was given, whatever the texts hold", () => {
    fc.assert(
      fc.property(entry, (given) => {
        const read = readEntry(onlyEntry(renderEntry(given)));
        expect(read).toMatchObject({ date: given.date, title: given.title.trim(), text: "" });
        expect(trimmed(read.fields)).toEqual(trimmed(expected(given)));
      }),
      { numRuns: someRuns(1000, 5000) },
    );
  });

  it("TOP-2 is read back the same from a file with CRLF", () => {
    fc.assert(
      fc.property(entry, (given) => {
        const rendered = renderEntry(given);
        expect(readEntry(onlyEntry(rendered.replaceAll("\n", "\r\n")))).toEqual(readEntry(onlyEntry(rendered)));
      }),
      { numRuns: someRuns(100, 500) },
    );
  });

  it("TOP-2 can neither be read as two, nor swallow those around it", () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 2, maxLength: 4 }), (given) => {
        const rendered = given.map(renderEntry);
        expect(parseTopicFile(rendered.join("")).entries.map(({ raw }) => raw)).toEqual(rendered);
      }),
      { numRuns: someRuns(400, 2000) },
    );
  });

  it("TOP-2 keeps the indentation of code", () => {
    const code = "  if (x) {\n    y();\n  }";
    expect(readEntry(onlyEntry(renderEntry({ ...plain, code }))).fields["code"]).toBe(code);
  });

  it.each([
    ["a language", "```ts\nlet x;\n```"],
    ["tildes", "~~~\nlet x;\n~~~"],
    ["two fences", "```\na\n```\n```\nb\n```"],
    ["text between fences", "```\na\n```\nand\n```\nb\n```"],
    ["a fence inside", "run\n```\nx\n```"],
    ["a longer fence inside", "a\n``````\nb"],
    ["an entry", "## 2026-11-15: x\n**Context:** y\n---"],
    ["backslashes", "\\## 2026-11-15: x\n\\```"],
  ])("TOP-2 gives back code with %s as it was given", (_, code) => {
    expect(readEntry(onlyEntry(renderEntry({ ...plain, code }))).fields["code"]).toBe(code);
  });

  it("TOP-2 takes a fence without a language for how code is written down", () => {
    const bare = renderEntry({ ...plain, code: "```\nlet x;\n```" });
    expect(bare).toBe(renderEntry({ ...plain, code: "let x;" }));
  });

  it("TOP-2 keeps fields that we do not know, and text before the first field", () => {
    const raw =
      "## 2026-11-15: by hand\nSome text.\n\n**Owner:** me\n**constructor:** a\n**__proto__:** b\n**Code:** ```ts\n**Not:** a field\n```\n**owner:** you\n";
    const { fields, text: before } = readEntry(onlyEntry(raw));
    expect(before).toBe("Some text.");
    expect(Object.entries(fields)).toEqual([
      ["owner", "me\nyou"],
      ["constructor", "a"],
      ["__proto__", "b"],
      ["code", "```ts\n**Not:** a field\n```"],
    ]);
  });

  it.each(["2026-02-30", "2026-13-01", "26-01-01", "2026-1-1", "", "today", "2026-01-01x", "2026-01-01\n"])(
    "TOP-1 refuses %j as a date",
    (date) => {
      expect(() => renderEntry({ ...plain, date })).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    },
  );

  it.each(["", "  ", "a\nb", "a\rb", "x\r\n## 2026-11-15: y"])("TOP-1 refuses %j as a title", (title) => {
    expect(() => renderEntry({ ...plain, title })).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });

  it("KER-12 refuses what is no entry any more by its size, and says the limit and the size", () => {
    expect(() => renderEntry({ ...plain, solution: "x".repeat(100_000) })).toThrow(
      expect.objectContaining({ code: "TOO_LARGE", data: { size: expect.any(Number), limit: 65_536 } }),
    );
  });

  it("TOP-2 renders and reads texts of many marks in no time", () => {
    const hostile = [" ".repeat(60_000), "`x".repeat(30_000), "```a\n".repeat(12_000), "\n---".repeat(15_000)];
    const takes = processorTime(() => {
      for (const one of hostile) {
        const solution = `a${one}b`.slice(0, 60_000);
        expect(() => renderEntry({ ...plain, code: solution })).not.toThrow();
        expect(readEntry({ ...plain, raw: `## 2026-11-15: t\n${solution.repeat(16)}` }).text).not.toBe("");
      }
    });
    expect(takes).toBeLessThan(3000);
  });

  it("TOP-2 is the same text when it is stored again after it was read", () => {
    fc.assert(
      fc.property(text, (solution) => {
        const first = renderEntry({ ...plain, solution });
        const read = readEntry(onlyEntry(first)).fields["solution"] ?? "";
        expect(renderEntry({ ...plain, solution: read })).toBe(first);
      }),
    );
  });
});
