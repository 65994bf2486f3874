import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTopicFile } from "../../../src/notes/topics/topic-file.ts";
import { documentKinds } from "../../../src/search/unit.ts";
import { splitDocument } from "../../../src/search/units/split-document.ts";
import { someRuns } from "../../helpers/some-cases.ts";

function split(content: string, path = "notes/a-note.md") {
  return splitDocument({ path, kind: "memory", content }).map(({ start, end, ...unit }) => ({
    ...unit,
    text: content.slice(start, end),
  }));
}

describe("SRCH-1 a document's units", () => {
  it("are its heading sections, with what stands above them", () => {
    const units = split(
      "# Auth\n\nIntro.\n\n## Tokens\n\nThey expire.\n\n### Refresh ##\n\nDaily.\n\n## Keys\n\nRotate.\n",
    );
    expect(units.map(({ title, breadcrumb, text }) => [title, breadcrumb, text])).toEqual([
      ["Auth", [], "# Auth\n\nIntro.\n\n"],
      ["Tokens", ["Auth"], "## Tokens\n\nThey expire.\n\n"],
      ["Refresh", ["Auth", "Tokens"], "### Refresh ##\n\nDaily.\n\n"],
      ["Keys", ["Auth"], "## Keys\n\nRotate.\n"],
    ]);
  });

  it("have no heading of their own before the first one: then it is the name", () => {
    expect(split("Some text.\n\n# One\n\nx\n\n# Two\n\ny").map(({ title, breadcrumb }) => [title, breadcrumb])).toEqual(
      [
        ["a-note", []],
        ["One", ["a-note"]],
        ["Two", ["a-note"]],
      ],
    );
  });

  it("may have underlined headings", () => {
    const units = split("Title\n=====\n\nText.\n\nPart\n---\nMore.\n\n- item\n---\n\nrule above\n\n---\n\nEnd.");
    expect(units.map(({ title }) => title)).toEqual(["Title", "Part"]);
  });

  it("never begin within a code fence", () => {
    const units = split(
      "# A\n\n```sh\n# no heading\n```\n\n~~~~\n~~~\n## nor this\n~~~~\n\n## B\n\n`` ` `` code\n\n``` # open\n# C",
    );
    expect(units.map(({ title }) => title)).toEqual(["A", "B"]);
  });

  it("leave out headings that have nothing but headings below them", () => {
    const units = split("# Guide\n\n## Setup\n\n### Linux\n\napt\n\n## Empty\n");
    expect(units.map(({ title, breadcrumb }) => [title, breadcrumb])).toEqual([
      ["Linux", ["Guide", "Setup"]],
      ["Empty", ["Guide"]],
    ]);
  });

  it.each(["", " \n\n", "---\ntitle: x\n---\n"])("are at least one, also of %j", (content) => {
    expect(split(content)).toHaveLength(1);
  });

  it("know the front matter, however loosely it is written", () => {
    const [unit] = split(
      "\uFEFF---\ntitle: \"Token rules\"\ntags: [auth, 'two words']\ndate: 2026-03-04T10:00:00Z\ndescription: How long they live\nodd line\n---\nText.",
    );
    expect(unit).toMatchObject({
      title: "Token rules",
      tags: ["auth", "two words"],
      date: "2026-03-04",
      aside: "How long they live\nodd line",
      text: "Text.",
    });
    expect(split("---\ntags:\n  - one\n  - two\n---\n\nx")[0]?.tags).toEqual(["one", "two"]);
    expect(split("---\nno: end\n\nText")[0]?.text).toBe("---\nno: end\n\nText");
  });

  it("are cut between paragraphs where a section is very long, and code is not cut", () => {
    const paragraph = `${"word ".repeat(100)}\n\n`;
    const code = `\`\`\`\n${"call()\n\n".repeat(700)}\`\`\`\n\n`;
    const units = split(`# Long\n\n${paragraph.repeat(12)}${code}${paragraph.repeat(6)}`);
    expect(units.length).toBeGreaterThan(3);
    expect(new Set(units.map(({ title }) => title))).toEqual(new Set(["Long"]));
    expect(units.filter(({ text }) => text.includes("call()"))).toHaveLength(1);
    for (const { text } of units.slice(0, -1)) expect(/\n\n$|```\n$/.test(text)).toBe(true);
  });

  it("are cut between lines where a paragraph does not end", () => {
    const units = split(`# List\n\n${"- an item of a list\n".repeat(1000)}`);
    expect(units.length).toBeGreaterThan(3);
    for (const { text } of units) expect(text).toMatch(/item of a list\n$/);
  });
});

describe("SRCH-1 the units of a topic", () => {
  const topic = (content: string) => splitDocument({ path: "auth/tokens.md", kind: "topic", content });

  it("are its entries, whatever headings they hold", () => {
    const units = topic(
      "# Tokens\n\n## 2026-05-02: Second\n**Context:** a\n### Detail\nb\n\n---\n\n## 2026-05-01 - First\n**Code:** ```\n## 2026-01-01: no entry\n```\n## Not dated\nc\n",
    );
    expect(units.map(({ title, date, breadcrumb }) => [title, date, breadcrumb])).toEqual([
      ["Second", "2026-05-02", ["Tokens"]],
      ["First", "2026-05-01", ["Tokens"]],
    ]);
  });

  it("begin below front matter, whatever it holds", () => {
    const content = "---\nname: Tokens\n```\n---\n## 2026-05-01: First\na\n";
    expect(topic(content).map(({ title, start }) => [title, start])).toEqual([["First", content.indexOf("##")]]);
    expect(parseTopicFile(content).entries.map(({ title }) => title)).toEqual(["First"]);
  });

  it("are sections where there is no entry", () => {
    expect(topic("# Index\n\n## A\n\nx\n\n## B\n\ny").map(({ title }) => title)).toEqual(["A", "B"]);
  });

  it("begin where the entries begin for those who read and write them", () => {
    const line = fc.constantFrom(
      "## 2026-05-01: A title",
      "##  2026-05-02",
      "## 2026-13-01: none",
      " ## 2026-05-01: indented",
      "```",
      "~~~~",
      "   ```js",
      "```` `",
      "    ```",
      "**Code:** ```",
      "**Code:**\t~~~",
      "**Code:**",
      "name: value",
      "# name: value",
      "...",
      "# Heading",
      "## Heading",
      "===",
      "---",
      "text",
      "",
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), fc.constantFrom("\n", "\r\n"), (lines, lineEnd) => {
        const content = lines.join(lineEnd);
        const { entries } = parseTopicFile(content);
        const found = topic(content).filter(({ date }) => date !== undefined);
        expect(found.map(({ start, end }) => content.slice(start, end))).toEqual(entries.map(({ raw }) => raw));
        expect(found.map(({ date }) => date)).toEqual(entries.map(({ date }) => date));
      }),
      { numRuns: someRuns(100, 500) },
    );
  });
});

/** A mebibyte each with all runs: what takes as long as its square would be seen in an eighth of it, too. */
const length = someRuns(1 << 17, 1 << 20);

const hostile = {
  "hashes without an end": "#".repeat(length),
  "headings alone": "# a\n".repeat(length >> 2),
  "nested headings": "# a\n## b\n### c\n#### d\n##### e\n###### f\n".repeat(length >> 5),
  "fences that open": "```\n~~~\n".repeat(length >> 3),
  "backticks in a line": "`".repeat(length),
  "backticks in lines": "``` `\n".repeat(length >> 3),
  "underlines alone": "a\n-\n".repeat(length >> 2),
  "blank lines": "\n".repeat(length),
  blanks: " ".repeat(length),
  "front matter without an end": `---\n${"a: b\n".repeat(length >> 2)}`,
  "front matter of blanks": `---${" ".repeat(length)}`,
  "tags alone": `---\ntags: [${"a,".repeat(length >> 5)}]\n---\n`,
  "one long line": "word ".repeat(length >> 2),
  "labels that open fences": "**a:** ```\n".repeat(length >> 4),
  "dated headings": "## 2026-01-01: x\n".repeat(length >> 4),
};

describe("SRCH-1 any text at all", () => {
  it.each(Object.entries(hostile))("has units, in order and apart: %s", (_, content) => {
    for (const kind of documentKinds) expectUnits(content, kind);
  });

  it("has units, in order and apart", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom(
        "\n",
        "\r\n",
        "# ",
        "## ",
        "---\n",
        "===\n",
        "```\n",
        "~~~",
        "\uFEFF",
        "title: x\n",
        "2026-01-01",
        "    ",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.constantFrom(...documentKinds), (pieces, kind) => {
        expectUnits(pieces.join(""), kind);
      }),
    );
  });
});

function expectUnits(content: string, kind: (typeof documentKinds)[number]): void {
  const units = splitDocument({ path: "a/b.md", kind, content });
  expect(units.length).toBeGreaterThan(0);
  let last = 0;
  for (const { start, body, end, title } of units) {
    if (start < last || body < start || end < body || end > content.length) expect.fail(`${start} ${body} ${end}`);
    if (title === "" || title.length > 300) expect.fail(title);
    last = end;
  }
}
