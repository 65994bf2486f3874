import { expect, it } from "vitest";
import { summarize } from "../../../src/notes/memories/list-memories.ts";
import { processorTime } from "../../helpers/processor-time.ts";

it.each([
  ["plain", "---\nsummary: How to build\n---\n# Build", "How to build"],
  ["double quotes", '---\nsummary: "How: to \\"build\\""\n---\n# Build', 'How: to "build"'],
  ["single quotes", "---\nsummary: 'It''s built'\n---\n# Build", "It's built"],
  ["a literal block", "---\nsummary: |\n  How to build\n  and run\ntitle: x\n---\n# Build", "How to build and run"],
  ["a folded block", "---\nsummary: >-\n\n  How to\n  build\n---\n# Build", "How to build"],
  ["a block with CRLF", "---\r\nsummary: >\r\n  How to\r\n  build\r\n---\r\n# Build", "How to build"],
  ["CRLF", "---\r\nsummary: How to build\r\n---\r\n# Build", "How to build"],
  ["a byte order mark", "\uFEFF---\nsummary: How to build\n---\n", "How to build"],
  ["nothing given there", "---\nsummary:\ntitle: x\n---\n# Build\n", "Build"],
  ["an empty block", "---\nsummary: |\ntitle: x\n---\n# Build\n", "Build"],
  ["a summary of something inside", "---\na:\n  summary: no\n---\n# Build\n", "Build"],
  ["front matter that never ends", "---\nsummary: no\n# Build\n", "Build"],
  ["a heading", "\n\n## How to *build*\ntext", "How to *build*"],
  ["a heading after text", "text\n\n# Build\n", "Build"],
  ["no heading", "\n  just text  \nmore", "just text"],
  ["a tag, which is no heading", "#tag\ntext", "#tag"],
  ["only blanks", " \n\t\n\r\n", ""],
  ["text between two rules", "---\njust text\n---\nmore", "just text"],
  ["nothing", "", ""],
])("MEM-4 the summary of a memory with %s", (_, content, summary) => {
  expect(summarize(content)).toBe(summary);
});

it("MEM-4 a long summary is shortened to 120 characters, never inside one", () => {
  for (const letter of ["x", "é", "😀"]) {
    for (const length of [119, 120, 121, 5000]) {
      const summary = summarize(`# ${letter.repeat(length)}`);
      expect([...summary].length).toBe(Math.min(length, 120));
      expect(summary.isWellFormed()).toBe(true);
      expect(summary.endsWith("…")).toBe(length > 120);
    }
  }
});

it("MEM-4 a hostile text is summed up as quickly as any other", () => {
  const hostile = ["\n", "---\n", "summary: \n", "# \n", " ", "- ", "---\r"].map((piece) =>
    piece.repeat(Math.ceil(1_000_000 / piece.length)),
  );
  const takes = processorTime(() => {
    for (const text of hostile)
      for (const content of [text, `---\n${text}`, `---\nsummary: |\n${text}`]) summarize(content);
  });
  expect(takes).toBeLessThan(3000);
});
