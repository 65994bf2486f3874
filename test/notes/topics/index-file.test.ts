import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseIndex, renderIndex } from "../../../src/notes/topics/index-file.ts";
import { goodPaths } from "../../attacks/hostile-paths.ts";
import { documentStores } from "../../helpers/document-stores.ts";
import { processorTime } from "../../helpers/processor-time.ts";
import { markdown } from "./markdown.ts";
import { newEntry } from "./new-entry.ts";
import { entryText, topicsIn } from "./open-topics.ts";

const begin = "<!-- recollect:index (made by Recollect: what is written between these two lines is replaced) -->";
const end = "<!-- /recollect:index -->";
const rowOf = (name: string, entries = 1) => ({ topic: "auth", subtopic: name, entries, newest: "2026-11-15" });
const blockOf = (...lines: string[]) => [begin, ...lines, end].join("\n");
const tokens = (count: string) => `- [auth/tokens](auth/tokens.md): ${count}, newest 2026-11-15`;

describe.each(documentStores)("PG-1 topics on $name", (stores) => {
  const open = topicsIn(stores);

  describe("the index", () => {
    it("TOP-5 lists the topics after every operation as a rebuilt one does", async () => {
      const { topics, text, put } = await open();
      const sameAsRebuilt = async () => {
        const now = await text("index.md");
        await put("index.md", "");
        await topics.reindex();
        expect(await text("index.md")).toBe(now);
      };
      await topics.store(newEntry("A"));
      expect(await text("index.md")).toBe(`# Memory index\n\n${blockOf(tokens("1 entry"))}\n`);
      for (let index = 0; index < 12; index += 1) {
        await topics.store(newEntry(`B${index}`, { subtopic: index % 3 === 0 ? "sessions" : "tokens", topic: "auth" }));
        await sameAsRebuilt();
      }
      await topics.store(newEntry("C", { topic: "build", date: "2020-01-01" }));
      expect(await text("index.md")).toContain("- [build/tokens](build/tokens.md): 1 entry, newest 2020-01-01\n");
      await topics.archive({ topic: "auth", subtopic: "tokens" }, { keep: 2 });
      expect(await text("index.md")).toContain(tokens("2 entries"));
      await sameAsRebuilt();
      await topics.archive({ topic: "auth", subtopic: "tokens" }, { keep: 0 });
      expect(await text("index.md")).not.toContain("auth/tokens");
      await sameAsRebuilt();
      await put("auth/tokens.md", Array.from({ length: 12 }, (_, n) => entryText(`${n}`)).join(""));
      await topics.prune();
      expect(await text("index.md")).toContain("- [auth/tokens](auth/tokens.md): 10 entries, newest 2026-11-01");
      await sameAsRebuilt();
    });

    it("TOP-5 knows what lay there before it was made", async () => {
      const { topics, put, text } = await open();
      await put("old/notes.md", entryText("x") + entryText("y"));
      await put("old/none.md", "no entries\n");
      await put("old/deep/er.md", entryText("x"));
      await put("old/broken.md", Uint8Array.of(0xff, 0xfe, 0x00));
      await put("archive/old/2020.md", entryText("x"));
      await put("README.md", entryText("x"));
      await topics.store(newEntry("A"));
      expect(await text("index.md")).toContain(
        blockOf(tokens("1 entry"), "- [old/notes](old/notes.md): 2 entries, newest 2026-11-01"),
      );
    });

    it("TOP-5 rebuilds what is wrong, and says whether it was", async () => {
      const { topics, put, text } = await open();
      await topics.store(newEntry("A"));
      expect(await topics.reindex()).toEqual({ topics: 1, changed: false, leftOut: 0 });
      await put("more/by-hand.md", entryText("x"));
      expect(await topics.reindex()).toEqual({ topics: 2, changed: true, leftOut: 0 });
      expect(await text("index.md")).toContain("more/by-hand.md");
    });

    const own = "My own words.\n";
    it.each([
      ["no markers", own, `${own}\n`],
      ["no end of the line", "mine", "mine\n\n"],
      ["the first marker alone", `${begin}\n${own}`, `${begin}\n${own}\n`],
      ["the last marker alone", `${own}${end}\n${own}`, `${own}${end}\n${own}\n`],
      ["the markers in the wrong order", `${end}\n${own}${begin}\n`, `${end}\n${own}${begin}\n\n`],
    ])("TOP-5 keeps the text and writes new markers below, with %s", async (_, before, kept) => {
      const { topics, put, text } = await open();
      await put("index.md", before);
      await topics.store(newEntry("A"));
      await topics.store(newEntry("B"));
      expect(await text("index.md")).toBe(`${kept}${blockOf(tokens("2 entries"))}\n`);
    });

    it.each([
      ["a marker that lost its end", `${begin}\n${own}${blockOf()}\n${own}`, [`${begin}\n${own}`, `\n${own}`]],
      ["two blocks of a merge", `${own}${blockOf(tokens("7 entries"))}\n${own}${blockOf()}\n`, [own, `\n${own}\n`]],
      ["rows given twice", blockOf(tokens("7 entries"), tokens("8 entries")), ["", ""]],
      ["marks of a merge", blockOf("<<<<<<< ours", tokens("7 entries"), "=======", ">>>>>>> theirs"), ["", ""]],
      ["words among the rows", blockOf(own), ["", ""]],
      ["CRLF", `x\r\n${blockOf(tokens("9 entries")).replaceAll("\n", "\r\n")}\r\ny`, ["x\r\n", "\r\ny"]],
      ["an older marker", `<!-- recollect:index v0 -->\n${end}\n`, ["", "\n"]],
      [
        "rows that would write lines",
        blockOf(`- [x](a%0A${encodeURIComponent(end)}/b.md): 1 entry, newest 2026-01-01`),
        ["", ""],
      ],
      ["rows that lead out", blockOf("- [x](..%2Fetc/b.md): 1 entry, newest 2026-01-01"), ["", ""]],
    ])(
      "TOP-5 mends from the files what stands between the markers: %s",
      async (_, before, [above = "", below = ""]) => {
        const { topics, put, text } = await open();
        await put("old/notes.md", entryText("x"));
        await put("index.md", before);
        await topics.store(newEntry("A"));
        const rows = blockOf(tokens("1 entry"), "- [old/notes](old/notes.md): 1 entry, newest 2026-11-01");
        expect(await text("index.md")).toBe(`${above}${rows}${below}`);
      },
    );

    it("TOP-5 is not written over by a rebuild that looked before somebody stored", async () => {
      const { topics, text } = await open();
      const work = Array.from({ length: 20 }, (_, index) => [
        topics.store(newEntry(`A${index}`, { subtopic: `s${index}` })),
        topics.reindex(),
      ]);
      await Promise.all(work.flat());
      const now = await text("index.md");
      expect(now.match(/^- /gm)).toHaveLength(20);
      expect(await topics.reindex()).toEqual({ topics: 20, changed: false, leftOut: 0 });
    });
  });
});

describe("the text of an index", () => {
  it("TOP-5 leaves what people write outside of the markers, byte for byte", () => {
    const around = markdown.filter((one) => !one.includes("recollect:index"));
    fc.assert(
      fc.property(around, around, (above, below) => {
        const before = `${above}${blockOf(tokens("1 entry"))}${below}`;
        expect(parseIndex(before)).toEqual([rowOf("tokens")]);
        expect(renderIndex(before, [rowOf("tokens", 2)])).toBe(`${above}${blockOf(tokens("2 entries"))}${below}`);
      }),
    );
  });

  it("TOP-5 keeps rows of any name that a topic can have", () => {
    const names = goodPaths.filter((path) => !path.includes("/") && !/^(archive|index\.md)$/.test(path));
    const rows = [...names, "a[b", "a]b", "[x](y)", "(", "%28", "a`b"]
      .map((name) => rowOf(name))
      .map((row, index) => ({
        ...row,
        topic: index % 2 === 0 ? "auth" : row.subtopic,
      }));
    const text = renderIndex(undefined, rows);
    expect(parseIndex(text)?.toSorted((a, b) => (a.subtopic < b.subtopic ? -1 : 1))).toEqual(
      rows.toSorted((a, b) => (a.subtopic < b.subtopic ? -1 : 1)),
    );
    expect(renderIndex(text, parseIndex(text) ?? [])).toBe(text);
  });

  it.each([
    ["first markers", begin.repeat(10_000)],
    ["last markers", end.repeat(40_000)],
    ["both", `${end}${begin}`.repeat(8000)],
    ["blocks", blockOf().repeat(8000)],
    ["rows", blockOf(...Array.from({ length: 12_000 }, () => tokens("1 entry")))],
    ["a row of brackets", blockOf(`- [${"](".repeat(400_000)}`)],
    ["a row of blanks", blockOf(`- [x](${" ".repeat(900_000)}`)],
  ])("TOP-5 takes no time over a megabyte of %s", (_, text) => {
    const takes = processorTime(() => {
      parseIndex(text);
      renderIndex(text, [rowOf("tokens")]);
    });
    expect(takes).toBeLessThan(2000);
  });
});
