import { describe, expect, it } from "vitest";
import { documentStores } from "../../helpers/document-stores.ts";
import { newEntry } from "./new-entry.ts";
import { entryText, topicsIn } from "./open-topics.ts";

describe.each(documentStores)("PG-1 topics on $name", (stores) => {
  const open = topicsIn(stores);

  async function filled() {
    const opened = await open();
    await opened.put("auth/tokens.md", `# T\n\n${entryText("t1", "2026-01-01")}${entryText("t2", "2026-05-05")}`);
    await opened.put("auth/keys.md", entryText("k1", "2026-03-03") + entryText("k2", "2020-01-01"));
    await opened.put("archive/auth/2020.md", entryText("by hand", "2020-06-06"));
    await opened.topics.archive({ topic: "auth", subtopic: "keys" }, { keep: 1 });
    return opened;
  }

  const titlesOf = ({ entries }: { readonly entries: readonly { readonly title: string }[] }) =>
    entries.map(({ title }) => title);

  describe("loading", () => {
    it("TOP-6 a subtopic in the order of its file", async () => {
      const { topics } = await filled();
      const loaded = await topics.load({ topic: "auth", subtopic: "tokens.md" });
      expect(titlesOf(loaded)).toEqual(["t1", "t2"]);
      expect(loaded).toMatchObject({ total: 2, unreadable: [] });
      expect(loaded.entries[0]).toEqual({
        topic: "auth",
        subtopic: "tokens",
        date: "2026-01-01",
        title: "t1",
        text: "",
        fields: { context: "c", solution: "s" },
        isArchived: false,
      });
    });

    it("TOP-6 a topic by date, also where it has but one subtopic", async () => {
      const { topics, put } = await filled();
      expect(titlesOf(await topics.load({ topic: "auth" }))).toEqual(["t2", "k1", "t1"]);
      await put("one/only.md", entryText("older", "2020-01-01") + entryText("newer", "2026-01-01"));
      expect(titlesOf(await topics.load({ topic: "one" }))).toEqual(["newer", "older"]);
    });

    it("TOP-6 the archive on request, each entry under its subtopic", async () => {
      const { topics } = await filled();
      const whole = await topics.load({ topic: "auth", archive: true });
      expect(titlesOf(whole)).toEqual(["t2", "k1", "t1", "by hand", "k2"]);
      expect(whole.entries.at(-1)).toMatchObject({
        isArchived: true,
        subtopic: "keys",
        fields: { context: "c", solution: "s" },
      });
      expect(whole.entries.at(-2)).toMatchObject({ isArchived: true, subtopic: "" });
      expect(titlesOf(await topics.load({ topic: "auth", subtopic: "keys", archive: true }))).toEqual(["k1", "k2"]);
      expect(titlesOf(await topics.load({ topic: "auth", subtopic: "keys" }))).toEqual(["k1"]);
    });

    it("TOP-2 TOP-6 archived entries as they were: free text, and a field of its own name further below", async () => {
      const { topics, put } = await open();
      const body = (n: number) => `free text ${n}\n**Archived from:** a person\nmore\n`;
      const entries = Array.from({ length: 12 }, (_, n) => `## 2023-01-01: H${n}\n${body(n)}`);
      await put("auth/tokens.md", entries.join(""));
      const before = await topics.load({ topic: "auth", subtopic: "tokens", limit: 20 });
      await topics.prune();
      const after = await topics.load({ topic: "auth", subtopic: "tokens", limit: 20, archive: true });
      expect(after.entries.filter(({ isArchived }) => isArchived)).toHaveLength(2);
      expect(after.entries.map((entry) => ({ ...entry, isArchived: false }))).toEqual(before.entries);
      expect(after.entries.at(-1)).toMatchObject({
        text: "free text 11",
        fields: { "archived from": "a person\nmore" },
      });
    });

    it("TOP-6 a subtopic that lives on in the archive alone, on request", async () => {
      const { topics, put } = await open();
      await put("archive/auth/2025.md", "## 2025-01-01: x\n**Archived from:** gone  \r\n**Context:** c\n");
      expect(titlesOf(await topics.load({ topic: "auth", subtopic: "gone", archive: true }))).toEqual(["x"]);
      await expect(topics.load({ topic: "auth", subtopic: "gone" })).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(topics.load({ topic: "auth", subtopic: "other", archive: true })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    });

    it("TOP-6 so many as asked for, and says how many there are", async () => {
      const { topics, put } = await open();
      await put("auth/tokens.md", Array.from({ length: 15 }, (_, index) => entryText(`e${index}`)).join(""));
      expect(await topics.load({ topic: "auth" })).toMatchObject({ total: 15, entries: { length: 10 } });
      expect(titlesOf(await topics.load({ topic: "auth", subtopic: "tokens", limit: 2 }))).toEqual(["e0", "e1"]);
      for (const limit of [0, -1, 1.5, 1001, Number.NaN]) {
        await expect(topics.load({ topic: "auth", limit })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      }
    });

    it("TOP-6 names what there is where something is missing", async () => {
      const { topics } = await filled();
      await expect(topics.load({ topic: "nope" })).rejects.toMatchObject({
        code: "NOT_FOUND",
        message: "There is no topic “nope”. There are: auth.",
      });
      await expect(topics.load({ topic: "auth", subtopic: "nope" })).rejects.toMatchObject({
        message: "There is no subtopic “nope” in “auth”. There are: keys, tokens.",
      });
      await expect(topics.prune({ topic: "auth", subtopic: "nope" })).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect((await open()).topics.load({ topic: "nope" })).rejects.toMatchObject({
        message: "There is no topic “nope”. Nothing was stored yet.",
      });
    });

    it("TOP-6 changes no file, and tells what was read", async () => {
      const { topics, everything, accessed } = await filled();
      await topics.load({ topic: "auth" });
      const before = await everything();
      await topics.load({ topic: "auth" });
      await topics.load({ topic: "auth", subtopic: "tokens", limit: 1 });
      await topics.load({ topic: "auth", subtopic: "keys", archive: true });
      await topics.load({ topic: "nope" }).catch(() => {});
      await topics.list();
      expect(await everything()).toEqual(before);
      expect(accessed.slice(1)).toEqual([
        ["auth/keys.md", "auth/tokens.md"],
        ["auth/tokens.md"],
        ["auth/keys.md", "archive/auth/2020.md"],
      ]);
    });

    it("TOP-6 KER-11 the rest of a topic where one file is no text, and says which", async () => {
      const { topics, put, accessed } = await filled();
      await put("auth/broken.md", Uint8Array.of(0xff, 0xfe));
      await put("archive/auth/2019.md", Uint8Array.of(0xff, 0xfe));
      const loaded = await topics.load({ topic: "auth", archive: true });
      expect(loaded).toMatchObject({ total: 5, unreadable: ["auth/broken.md", "archive/auth/2019.md"] });
      expect(accessed.flat()).not.toContain("auth/broken.md");
      await expect(topics.load({ topic: "auth", subtopic: "broken" })).rejects.toMatchObject({ code: "NOT_UTF8" });
      await put("auth/tokens.md", Array.from({ length: 12 }, (_, index) => entryText(`e${index}`)).join(""));
      expect(await topics.prune()).toEqual([{ topic: "auth", subtopic: "tokens", archived: 2, warnings: [] }]);
    });

    it("TOP-6 KER-3 creates nothing where nothing is", async () => {
      const { topics, everything } = await open();
      const before = await everything();
      await topics.load({ topic: "auth", archive: true }).catch(() => {});
      expect(await topics.list()).toEqual([]);
      expect(await topics.prune()).toEqual([]);
      expect(await everything()).toEqual(before);
    });
  });

  it("TOP-3 an entry is what the store says it is: date, title and whether it was there", async () => {
    const { topics, clock } = await open();
    await topics.store(newEntry("A"));
    clock.today = "2026-12-01";
    expect(await topics.store(newEntry("A"))).toMatchObject({ date: "2026-11-15", alreadyStored: true });
  });
});
