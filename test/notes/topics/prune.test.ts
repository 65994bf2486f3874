import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTopicFile, pruneEntries, renderTopicFile } from "../../../src/notes/topics/topic-file.ts";
import { documentStores } from "../../helpers/document-stores.ts";
import { filesStores } from "../../helpers/files-stores.ts";
import { markdown } from "./markdown.ts";
import { newEntry } from "./new-entry.ts";
import { entriesIn, entryText, topicsIn } from "./open-topics.ts";

const entries = (count: number, bytes = 0) =>
  Array.from({ length: count }, (_, index) => entryText(`e${index}`, "2026-11-01", bytes)).join("");

describe("pruning", () => {
  it.each([
    ["ten small entries stay", 10, 0, 10],
    ["of eleven small ones ten stay", 11, 0, 10],
    ["of many small ones ten stay", 40, 0, 10],
    ["ten of exactly 5,120 bytes stay", 10, 512, 10],
    ["of ten of 5,130 bytes nine stay", 10, 513, 9],
    ["of eight of 1,000 bytes five stay", 8, 1000, 5],
    ["five stay whatever their size", 7, 4000, 5],
    ["fewer than five stay whatever their size", 3, 40_000, 3],
    ["of twelve of 700 bytes seven stay", 12, 700, 7],
  ])("TOP-4 %s", (_, count, bytes, kept) => {
    const file = parseTopicFile(entries(count, bytes));
    const next = pruneEntries(file);
    expect(next.kept.entries).toEqual(file.entries.slice(0, kept));
    expect(next.pruned).toEqual(file.entries.slice(kept));
  });

  it("TOP-4 counts bytes, and those before the first entry too", () => {
    const file = parseTopicFile(`${"é".repeat(2000)}\n${entries(9, 400)}`);
    expect(pruneEntries(file).kept.entries).toHaveLength(5);
  });

  it("TOP-4 takes only from the bottom of a file, whatever Markdown it is", () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 0, max: 14 }), (text, count) => {
        const whole = text + (text.endsWith("\n") ? "" : "\n") + entries(count, 500);
        const { kept, pruned } = pruneEntries(parseTopicFile(whole));
        expect(renderTopicFile(kept) + pruned.map(({ raw }) => raw).join("")).toBe(whole);
      }),
    );
  });
});

const step = fc.record({
  kind: fc.constantFrom("store", "store", "write", "write", "prune", "archive"),
  subtopic: fc.constantFrom("tokens", "keys"),
  year: fc.integer({ min: 2022, max: 2026 }),
  bytes: fc.nat(2000),
});

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;
type OpenedTopics = Awaited<ReturnType<ReturnType<typeof topicsIn>>>;

/** Does it, and returns what is there for it now. */
async function act({ kind, subtopic, year, bytes }: Step, title: string, { topics, put, text, has }: OpenedTopics) {
  const [date, path] = [`${year}-03-04`, `auth/${subtopic}.md`];
  const before = (await has(path)) ? await text(path) : undefined;
  if (kind === "prune") await topics.prune();
  if (kind === "archive" && before !== undefined) await topics.archive({ topic: "auth", subtopic }, { before: date });
  if (kind === "store") await topics.store(newEntry(title, { subtopic, date, solution: "x".repeat(bytes) }));
  if (kind === "write") await put(path, (before ?? "# T\n\n") + entryText(title, date, bytes));
  return kind === "store" || kind === "write" ? [`${subtopic} ${year} ${title}`] : [];
}

describe.each(documentStores)("PG-1 topics on $name", (stores) => {
  const open = topicsIn(stores);

  describe("the archive", () => {
    it("TOP-4 takes each entry by its own year, newest first, and says where it came from", async () => {
      const { topics, put, text, titles, archives } = await open();
      const dated = ["2026-01-01", "2024-05-05", "2026-02-02", "2023-01-01"];
      await put("auth/tokens.md", `# T\n\n${entries(9)}${dated.map((date) => entryText(`on ${date}`, date)).join("")}`);
      expect(await topics.store(newEntry("Fresh"))).toMatchObject({ archived: 4 });
      expect(await archives()).toEqual(["2023.md", "2024.md", "2026.md"]);
      expect(await titles("archive/auth/2026.md")).toEqual(["on 2026-01-01", "on 2026-02-02"]);
      expect(await text("archive/auth/2024.md")).toBe(
        "## 2024-05-05: on 2024-05-05\n**Archived from:** tokens\n**Context:** c\n**Solution:** s\n\n---\n\n",
      );
      await put("auth/tokens.md", `${await text("auth/tokens.md")}${entryText("later", "2026-03-03")}`);
      await topics.prune({ topic: "auth" });
      expect(await titles("archive/auth/2026.md")).toEqual(["later", "on 2026-01-01", "on 2026-02-02"]);
    });

    it("TOP-4 prunes only the bottom of the topic's file", async () => {
      const { topics, put, text } = await open();
      const top = `\uFEFF# T\r\n\r\n${entries(10).replaceAll("\n", "\r\n")}`;
      await put("auth/tokens.md", `${top}${entryText("gone")}## 2025-01-01: bare`);
      expect(await topics.prune()).toEqual([{ topic: "auth", subtopic: "tokens", archived: 2, warnings: [] }]);
      expect(await text("auth/tokens.md")).toBe(top);
      expect(await topics.prune()).toEqual([]);
    });

    it("TOP-4 keeps what people wrote in an archive, also where it leaves a fence open", async () => {
      const { topics, put, text, titles } = await open();
      await put("archive/auth/2026.md", "# Old\n```\nopen");
      await put("auth/tokens.md", entries(11));
      await topics.prune();
      expect((await text("archive/auth/2026.md")).startsWith("# Old\n```\nopen\n```\n\n## 2026-11-01: e10\n")).toBe(
        true,
      );
      expect(await titles("archive/auth/2026.md")).toEqual(["e10"]);
    });

    it.each([
      ["leaves a fence open", "## 2026-01-01: bad\n```\nx\n## 2026-01-01: inside\n"],
      ["leaves a fence open and does not end its line", "## 2026-01-01: bad\n~~~~\nx"],
      ["is a heading alone", "## 2026-01-01: bad"],
      ["has no separator", "## 2026-01-01: bad\n\ntext"],
      ["has CRLF", "## 2026-01-01: bad\r\n\r\ntext"],
    ])("TOP-4 does not lose the entries below one that %s", async (_, last) => {
      const { topics, put, text, titles } = await open();
      await put("archive/auth/2026.md", entryText("below"));
      await put("auth/tokens.md", entries(10) + last);
      await topics.prune();
      expect(await titles("archive/auth/2026.md")).toEqual(["bad", "below"]);
      const archived = (await text("archive/auth/2026.md")).replace(/\*\*Archived from:\*\* tokens\r?\n/, "");
      expect(archived.startsWith(last)).toBe(true);
      expect(archived.endsWith(`---${last.includes("\r") ? "\r\n\r\n" : "\n\n"}${entryText("below")}`)).toBe(true);
    });

    it("TOP-4 KER-12 goes on in another part where one is full, and loses nothing", async () => {
      const { topics, put, text, archives } = await open();
      const titles: string[] = [];
      for (let round = 0; round < 12; round += 1) {
        const own = Array.from({ length: 12 }, (_, index) => `r${round} e${index}`);
        titles.push(...own.slice(5));
        await put("auth/tokens.md", own.map((title) => entryText(title, "2026-05-05", 3000)).join(""));
        await topics.prune();
      }
      const parts = await archives();
      expect(parts.length).toBeGreaterThan(3);
      expect(parts).toContain("2026-2.md");
      for (const part of parts)
        expect(Buffer.byteLength(await text(`archive/auth/${part}`))).toBeLessThanOrEqual(64 * 1024);
      const loaded = await topics.load({ topic: "auth", subtopic: "tokens", archive: true, limit: 1000 });
      const archived = loaded.entries.filter(({ isArchived }) => isArchived).map(({ title }) => title);
      expect(archived.toSorted()).toEqual(titles.toSorted());
      // The newest part comes first.
      expect(archived[0]).toBe("r11 e5");
      expect(archived.at(-7)).toBe("r0 e5");
    });

    it("TOP-4 is not led astray by parts that somebody put there", async () => {
      const { topics, put, archives, titles } = await open();
      for (const name of ["2026-999999.md", "2026-1.md", "2026-01.md", "notes.md"])
        await put(`archive/auth/${name}`, "# mine\n");
      await put("archive/auth/.DS_Store", Uint8Array.of(0xff, 0xfe));
      await put("auth/tokens.md", entries(11));
      const start = process.cpuUsage();
      await topics.prune();
      await topics.store(newEntry("A"));
      expect(process.cpuUsage(start).user).toBeLessThan(2_000_000);
      expect(await archives()).toContain("2026.md");
      expect(await titles("archive/auth/2026.md")).toEqual(["e9", "e10"]);
      expect((await topics.load({ topic: "auth", archive: true, limit: 100 })).total).toBe(12);
    });

    it("TOP-4 takes what is older than a date, or all but so many, on request", async () => {
      const { topics, put, titles } = await open();
      const dates = ["2026-03-01", "2024-01-01", "2026-02-01", "2025-01-01"];
      await put("auth/tokens.md", dates.map((date) => entryText(date, date)).join(""));
      const name = { topic: "auth", subtopic: "tokens" };
      expect(await topics.archive(name, { before: "2025-06-01" })).toEqual({ ...name, archived: 2, warnings: [] });
      expect(await titles("auth/tokens.md")).toEqual(["2026-03-01", "2026-02-01"]);
      expect(await topics.archive(name, { keep: 1 })).toEqual({ ...name, archived: 1, warnings: [] });
      expect(await topics.archive(name, { keep: 1 })).toEqual({ ...name, archived: 0, warnings: [] });
      expect(await topics.archive(name, {})).toEqual({ ...name, archived: 0, warnings: [] });
      for (const older of [{ keep: -1 }, { keep: 1.5 }, { keep: Number.NaN }, { before: "soon" }]) {
        await expect(topics.archive(name, older)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      }
      await expect(topics.archive({ ...name, subtopic: "nope" }, { keep: 1 })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
      expect(await titles("auth/tokens.md")).toEqual(["2026-03-01"]);
    });

    it("TOP-4 loses nothing, whatever is stored, pruned, archived and written by hand in between", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
          const opened = await open();
          await opened.put("auth/tokens.md", entryText("first", "2022-01-01"));
          const expected = ["tokens 2022 first"];
          for (const [index, one] of steps.entries()) expected.push(...(await act(one, `t${index}`, opened)));
          expect(entriesIn(await opened.all())).toEqual(expected.toSorted());
        }),
        { numRuns: stores === filesStores ? 25 : 10 },
      );
    });
  });
});
