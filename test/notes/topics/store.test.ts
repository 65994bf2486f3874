import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openFilesStore } from "../../../src/backends/files/store.ts";
import { createDocuments } from "../../../src/kernel/documents.ts";
import { fullAccess } from "../../../src/kernel/root-policy.ts";
import { createTopics } from "../../../src/notes/topics/topics.ts";
import { documentStores } from "../../helpers/document-stores.ts";
import { newEntry } from "./new-entry.ts";
import { entriesIn, entryText, scratch, topicsIn } from "./open-topics.ts";

const handWritten = `---
summary: what we know
---
# Tokens

Text by people.

## 2026-10-01: By hand
No fields, and no separator.

\`\`\`md
## 2020-01-01: not an entry
---
\`\`\`
## 2026-09-01 — Another spelling
**Owner:** me
**Context:** x
***
`;

describe.each(documentStores)("PG-1 topics on $name", (stores) => {
  const open = topicsIn(stores);

  describe("storing an entry", () => {
    it("TOP-1 makes the file, and says where it is", async () => {
      const { topics, text } = await open();
      const stored = await topics.store(newEntry("First", { code: "x = 1" }));
      expect(stored).toMatchObject({
        topic: "auth",
        subtopic: "tokens",
        date: "2026-11-15",
        title: "First",
        path: "auth/tokens.md",
        rev: expect.any(String),
        alreadyStored: false,
        archived: 0,
      });
      expect(await text("auth/tokens.md")).toBe(
        "## 2026-11-15: First\n**Context:** PRB-1\n**Problem:** it broke\n**Solution:** mend it\n**Code:**\n```\nx = 1\n```\n\n---\n\n",
      );
    });

    it("TOP-1b puts it at the top, also with an old date", async () => {
      const { topics, titles } = await open();
      await topics.store(newEntry("new"));
      await topics.store(newEntry("old", { date: "2001-02-03" }));
      await topics.store(newEntry("later", { date: "2030-01-01" }));
      expect(await titles("auth/tokens.md")).toEqual(["later", "old", "new"]);
      expect((await topics.load({ topic: "auth", subtopic: "tokens" })).entries.map(({ date }) => date)).toEqual([
        "2030-01-01",
        "2001-02-03",
        "2026-11-15",
      ]);
    });

    it.each([
      ["hand-written", handWritten],
      ["CRLF", handWritten.replaceAll("\n", "\r\n")],
      ["with a byte order mark", `\uFEFF${handWritten}`],
      ["with a byte order mark and an entry at once", `\uFEFF${entryText("at once")}`],
      ["text alone", "# Nothing yet\n"],
      ["entries alone", entryText("one") + entryText("two")],
      ["an entry that does not end its line", `# T\n\n${entryText("one").trimEnd()}`],
      [
        "an entry with a fence without an end",
        `# T\n\n${entryText("one")}## 2026-01-01: bad\n\`\`\`\nx\n## 2026-01-01: y\n`,
      ],
    ])("TOP-2 changes only the top of a file: %s", async (_, before) => {
      const { topics, put, text } = await open();
      await put("auth/tokens.md", before);
      await topics.store(newEntry("Fresh"));
      const after = await text("auth/tokens.md");
      const at = after.indexOf("## 2026-11-15: Fresh");
      const end = after.length - (before.length - at);
      expect(after.slice(0, at) + after.slice(end)).toBe(before);
      expect(after.slice(at, end).includes("\r\n")).toBe(before.includes("\r\n"));
      // Below what stood before the first entry.
      expect(before.slice(at)).toMatch(/^(## \d|$)/);
      expect((await topics.load({ topic: "auth", subtopic: "tokens" })).entries[0]).toMatchObject({ title: "Fresh" });
    });

    it.each([
      ["does not end its line", "# Tokens", "# Tokens\n\n## 2026-11-15: Fresh"],
      ["does not end its line, in CRLF", "# Tokens\r\nx", "# Tokens\r\nx\r\n\r\n## 2026-11-15: Fresh"],
      ["leaves a fence open", "# Tokens\n```\nx", "# Tokens\n```\nx\n```\n\n## 2026-11-15: Fresh"],
      ["leaves a long fence open", "~~~~ md\n```\n", "~~~~ md\n```\n~~~~\n\n## 2026-11-15: Fresh"],
    ])("TOP-2 ends a text before the first entry that %s, so that the entry is one", async (_, before, after) => {
      const { topics, put, text, titles } = await open();
      await put("auth/tokens.md", before);
      await topics.store(newEntry("Fresh"));
      expect((await text("auth/tokens.md")).startsWith(after)).toBe(true);
      expect(await titles("auth/tokens.md")).toEqual(["Fresh"]);
      expect((await topics.store(newEntry("Fresh"))).alreadyStored).toBe(true);
    });

    it("TOP-1 takes a subtopic with its extension, and names with blanks, brackets and other scripts", async () => {
      const { topics, has } = await open();
      await topics.store(newEntry("a", { subtopic: "tokens.md" }));
      expect(await has("auth/tokens.md")).toBe(true);
      const odd = { topic: "日本 (1) [x]", subtopic: "a](b) `c` 100%" };
      await topics.store(newEntry("b", odd));
      expect((await topics.load(odd)).entries).toMatchObject([{ title: "b", ...odd }]);
    });
  });

  describe("storing an entry again", () => {
    it("TOP-3 stores it once, and says so", async () => {
      const { topics, text, clock } = await open();
      await topics.store(newEntry("A"));
      const before = await text("auth/tokens.md");
      clock.today = "2026-11-16";
      expect(await topics.store(newEntry(" A ", { subtopic: "tokens.md" }))).toMatchObject({
        alreadyStored: true,
        rev: undefined,
        date: "2026-11-15",
        archived: 0,
      });
      expect(await text("auth/tokens.md")).toBe(before);
    });

    it.each([
      ["another title", { title: "B" }],
      ["another solution", { solution: "differently" }],
      ["code", { code: "x" }],
      ["a solution that goes on with a line", { solution: "mend it\n---" }],
      ["another subtopic", { subtopic: "sessions" }],
      ["a given date that differs", { date: "2026-11-14" }],
    ])("TOP-3 takes it for another with %s", async (_, more) => {
      const { topics } = await open();
      await topics.store(newEntry("A"));
      expect((await topics.store(newEntry("A", more))).alreadyStored).toBe(false);
      expect((await topics.store(newEntry("A", more))).alreadyStored).toBe(true);
      expect((await topics.load({ topic: "auth" })).total).toBe(2);
    });

    it("TOP-3 finds it in a file that somebody saved with CRLF, and without its separator", async () => {
      const { topics, put, text } = await open();
      await topics.store(newEntry("A"));
      await put("auth/tokens.md", (await text("auth/tokens.md")).replaceAll("\n", "\r\n").replace("---\r\n\r\n", ""));
      expect((await topics.store(newEntry("A"))).alreadyStored).toBe(true);
    });

    it("TOP-3 finds it after it was pruned, over New Year as well", async () => {
      const { topics, clock, archives } = await open();
      clock.today = "2026-12-31";
      await topics.store(newEntry("A"));
      for (let index = 0; index < 10; index += 1) await topics.store(newEntry(`B${index}`));
      expect(await archives()).toEqual(["2026.md"]);
      expect((await topics.store(newEntry("A"))).alreadyStored).toBe(true);
      clock.today = "2027-01-01";
      expect(await topics.store(newEntry("A"))).toMatchObject({ alreadyStored: true, date: "2026-12-31" });
      expect((await topics.store(newEntry("A", { date: "2026-12-31" }))).alreadyStored).toBe(true);
      expect((await topics.store(newEntry("A", { date: "2027-01-01" }))).alreadyStored).toBe(false);
    });

    it("TOP-3 finds it in the archive of any year", async () => {
      const { topics, clock } = await open();
      for (const [title, date] of [
        ["Old", "2020-01-01"],
        ["Older", "2017-06-01"],
      ] as const) {
        await topics.store(newEntry(title, { date }));
      }
      await topics.archive({ topic: "auth", subtopic: "tokens" }, { keep: 0 });
      expect(await topics.store(newEntry("Old"))).toMatchObject({ alreadyStored: true, date: "2020-01-01" });
      clock.today = "2040-01-01";
      expect(await topics.store(newEntry("Older"))).toMatchObject({ alreadyStored: true, date: "2017-06-01" });
      // With a date of its own it is another one.
      expect((await topics.store(newEntry("Old", { date: "2021-01-01" }))).alreadyStored).toBe(false);
    });

    it("TOP-3 finds it in a part of the archive that is full", async () => {
      const { topics, put, archives, titles } = await open();
      await topics.store(newEntry("A"));
      for (let index = 0; index < 10; index += 1) await topics.store(newEntry(`B${index}`));
      expect(await titles("archive/auth/2026.md")).toEqual(["A"]);
      for (let index = 0; index < 16; index += 1) {
        await put(
          "auth/other.md",
          Array.from({ length: 12 }, (_, n) => entryText(`C${index}-${n}`, "2026-01-01", 6000)).join(""),
        );
        await topics.prune({ topic: "auth", subtopic: "other" });
      }
      expect((await archives()).length).toBeGreaterThan(3);
      expect((await topics.store(newEntry("A"))).alreadyStored).toBe(true);
    });

    it("TOP-3 does not take what another subtopic archived for its own", async () => {
      const { topics, archives } = await open();
      await topics.store(newEntry("A", { subtopic: "other" }));
      await topics.archive({ topic: "auth", subtopic: "other" }, { keep: 0 });
      expect(await archives()).toEqual(["2026.md"]);
      expect((await topics.store(newEntry("A"))).alreadyStored).toBe(false);
      expect((await topics.store(newEntry("A", { subtopic: "other" }))).alreadyStored).toBe(true);
    });

    it("TOP-3 stores once what several ask for at the same moment", async () => {
      const { topics, titles } = await open();
      const stored = await Promise.all(Array.from({ length: 8 }, () => topics.store(newEntry("A"))));
      expect(stored.filter(({ alreadyStored }) => !alreadyStored)).toHaveLength(1);
      expect(await titles("auth/tokens.md")).toEqual(["A"]);
    });

    it("TOP-3 TOP-4 TOP-5 KER-5 keeps every entry of several clients once, in the file or the archive", async () => {
      const { topics, otherTopics, all, text } = await open();
      const clients = [topics, otherTopics(), otherTopics()];
      const titles = Array.from({ length: 24 }, (_, index) => `E${index}`);
      await Promise.all(
        clients.flatMap((client, which) =>
          titles.filter((_, index) => index % 3 !== which).map((title) => client.store(newEntry(title))),
        ),
      );
      expect(entriesIn(await all())).toEqual(titles.map((title) => `tokens 2026 ${title}`).toSorted());
      expect(await text("index.md")).toContain("auth/tokens.md): 10 entries");
    });
  });
});

it("TOP-3 KER-8 works where another root owns a topic's folder", async () => {
  const folder = scratch();
  const roots = [
    { name: "memory", folder },
    { name: "inner", folder: join(folder, "auth") },
  ];
  mkdirSync(join(folder, "auth"));
  const store = openFilesStore({ roots, now: Date.now });
  onTestFinished(() => store.close());
  const documents = createDocuments({ roots: roots.map(({ name }) => ({ name, policy: fullAccess, store })) });
  const stamp = { author: "agent:tester" };
  const topics = createTopics({ documents, root: "memory", stamp, today: () => "2026-11-15" });
  for (let index = 0; index < 12; index += 1) {
    expect(await topics.store(newEntry(`A${index}`))).toMatchObject({
      rev: expect.any(String),
      path: "auth/tokens.md",
    });
  }
  expect((await topics.load({ topic: "auth", archive: true, limit: 20 })).total).toBe(12);
});
