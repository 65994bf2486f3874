import { describe, expect, it } from "vitest";
import { splitAtReferences } from "../../../src/http/api/contract/references.ts";
import { resolveEntities } from "../../../src/http/dashboard/markdown/entities.ts";
import { linkTarget } from "../../../src/http/dashboard/markdown/link-target.ts";
import { textOf } from "../../../src/http/dashboard/markdown/note-parts.ts";
import { takeApart } from "../../../src/http/dashboard/markdown/take-apart.ts";

describe("links of a note in the dashboard (WEB-3)", () => {
  it.each([
    ["https://example.org/a?b=c#d", "https://example.org/a?b=c#d"],
    ["HTTP://EXAMPLE.ORG", "http://example.org/"],
    ["mailto:ada@example.org", "mailto:ada@example.org"],
  ])("leads to the web: %s", (address, href) => {
    expect(linkTarget(address)).toEqual({ kind: "web", href });
  });

  it.each([
    ["mem:auth/login", "auth/login"],
    ["mem:auth/login.md", "auth/login"],
    ["mem:a%20b", "a b"],
    ["mem:100%", "100%"],
  ])("leads to a memory: %s", (address, name) => {
    expect(linkTarget(address)).toEqual({ kind: "memory", name });
  });

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    " javascript:alert(1)",
    "javascript&colon;alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "file:///etc/passwd",
    "blob:https://example.org/x",
    "filesystem:https://example.org/x",
    "//evil.example",
    "/etc/passwd",
    "#/agents",
    "../other.md",
    "intent://x",
    "",
    "mem:",
  ])("is no link: %j", (address) => {
    expect(linkTarget(address)).toBeUndefined();
  });

  it.each([
    ["see mem:auth/login.", ["see ", "mem:auth/login", "."]],
    ["mem:a and mem:b/c.md", ["", "mem:a", " and ", "mem:b/c.md", ""]],
    ["xmem:a, x/mem:a", ["xmem:a, x/mem:a"]],
    ["mem:", ["mem:"]],
  ])("finds references in %j", (text, pieces) => {
    expect(splitAtReferences(text)).toEqual(pieces);
  });
});

describe("a note that is taken apart", () => {
  it("has its front matter apart, and headings without a gap in their levels", () => {
    const parts = takeApart("---\nsummary: x\n---\n# One\n\n### Three\n\n#### Four\n\n## Two\n");
    expect(parts?.frontMatter).toBe("summary: x");
    expect(
      parts?.chunks.flatMap(({ headings }) => headings).map(({ level, text, line }) => [level, text, line]),
    ).toEqual([
      [2, "One", 4],
      [3, "Three", 6],
      [4, "Four", 8],
      [3, "Two", 10],
    ]);
  });

  it("is given up where it is nested beyond all measure", () => {
    expect(takeApart(`${">".repeat(20_000)}x`)).toBeUndefined();
  });

  it("comes in chunks that a page takes one by one, long lists as well, with nothing left out", () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}`);
    const list = takeApart(lines.map((line, index) => `${index + 3}. ${line}`).join("\n"));
    const lists = list?.chunks.flatMap(({ tokens }) => tokens) ?? [];
    expect(lists.length).toBeGreaterThan(5);
    const items = lists.flatMap((token) => ("items" in token ? token["items"] : []));
    expect(items.map(textOf)).toEqual(lines);
    expect(lists.map((token) => "start" in token && token["start"]).slice(0, 2)).toEqual([3, 3 + itemsOf(lists[0])]);
    const paragraphs = takeApart(lines.join("\n\n"));
    expect(paragraphs?.chunks.length).toBeGreaterThan(5);
    const texts = paragraphs?.chunks.flatMap(({ tokens }) => tokens.filter(({ type }) => type === "paragraph"));
    expect(texts?.map(textOf)).toEqual(lines);
  });

  it("ends where it has more parts than a page can hold, and says in which line", () => {
    const parts = takeApart("# a\n".repeat(100_000));
    const count = parts?.chunks.flatMap(({ headings }) => headings).length ?? 0;
    expect(count).toBeLessThan(100_000);
    expect(parts?.endsAtLine).toBe(count + 1);
  });

  it("is shown as it was written where one part of it is too large", () => {
    const table = `|a|b|\n|-|-|\n${"|c|d|\n".repeat(5000)}`;
    const tokens = takeApart(table)?.chunks.flatMap((chunk) => chunk.tokens) ?? [];
    expect(tokens.map(({ type }) => type)).toEqual(["code"]);
    expect(tokens.map(textOf)).toEqual([table]);
  });

  it.each([
    ["letters of one word", "a".repeat(290_000)],
    ["references", "mem:a ".repeat(48_000)],
    ["references in code", `\`${"mem:a ".repeat(48_000)}\``],
    ["a heading", `# ${"a ".repeat(150_000)}`],
    ["lines of HTML", `<div>\n${"a\n".repeat(60_000)}`],
    ["an item of a list", `- ${"a".repeat(290_000)}`],
  ])("is shown as it was written where it has too much of %s, with what follows as ever", (_, text) => {
    const parts = takeApart(`${text}\n\n<!-- -->\n\n# After\n`);
    const tokens = parts?.chunks.flatMap((chunk) => chunk.tokens) ?? [];
    expect(new Set(tokens.map(({ type }) => type))).toEqual(new Set(["code", "space", "html", "heading"]));
    const written = tokens.filter(({ type }) => type === "code").map(textOf);
    expect(Math.max(...written.map(({ length }) => length))).toBeLessThan(200_000);
    expect(written.join("").replaceAll("\n", "")).toBe(text.replaceAll("\n", ""));
    expect(parts?.chunks.flatMap(({ headings }) => headings)).toMatchObject([{ text: "After" }]);
  });

  it.each([
    ["in a fence", ["```", "```"]],
    ["in an item", ["- x\n\n  ```", "  ```"]],
  ])("comes in chunks also where it is one long text as it was written, %s", (_, [before, after]) => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `  ${index}`);
    const parts = takeApart([before, ...lines, after].join("\n"));
    expect(parts?.chunks.length).toBeGreaterThan(5);
    const written = parts?.chunks.flatMap(({ tokens }) => tokens.map(textOf)).join("\n") ?? "";
    expect(written.match(/\d+/g)?.join()).toBe(lines.map((line) => line.trim()).join());
    const [, ...more] = takeApart(`\`\`\`\n${"a\n".repeat(400_000)}\`\`\``)?.chunks ?? [];
    expect(more.length).toBeLessThan(20);
  });

  it("is not many times larger than its text, however deeply it is nested", () => {
    const text = `${"> ".repeat(300)}deep ${"x".repeat(20_000)}\n`;
    const parts = takeApart(text);
    expect(JSON.stringify(parts).length).toBeLessThan(4 * text.length);
    expect(JSON.stringify(parts)).toContain("deep x");
  });

  it("has a reference of many full stops", () => {
    const text = `mem:a${".".repeat(300_000)}b`;
    expect(splitAtReferences(text)).toEqual(["", text, ""]);
  });

  it("resolves no name but those of characters", () => {
    const text = "&toString; &valueOf; &amp;";
    expect(resolveEntities(text)).toBe("&toString; &valueOf; &");
  });

  it("keeps character references that would become markup as text", () => {
    expect(resolveEntities("&lt;script&gt; &amp;lt; &#60;b&#x3e; &#0; &unknown;")).toBe(
      "<script> &lt; <b> \ufffd &unknown;",
    );
  });
});

function itemsOf(token: object | undefined): number {
  return token !== undefined && "items" in token && Array.isArray(token.items) ? token.items.length : 0;
}
