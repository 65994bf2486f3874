import { describe, expect, it } from "vitest";
import { resolveEntities } from "../../../src/http/dashboard/markdown/entities.ts";
import { linkTarget, splitAtReferences } from "../../../src/http/dashboard/markdown/link-target.ts";
import { takeApart } from "../../../src/http/dashboard/markdown/note-parts.ts";

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
    expect(parts?.headings.map(({ level, text, line }) => [level, text, line])).toEqual([
      [2, "One", 4],
      [3, "Three", 6],
      [4, "Four", 8],
      [3, "Two", 10],
    ]);
  });

  it("is given up where it is nested beyond all measure", () => {
    expect(takeApart(`${">".repeat(20_000)}x`)).toBeUndefined();
  });

  it("keeps character references that would become markup as text", () => {
    expect(resolveEntities("&lt;script&gt; &amp;lt; &#60;b&#x3e; &#0; &unknown;")).toBe(
      "<script> &lt; <b> \ufffd &unknown;",
    );
  });
});
