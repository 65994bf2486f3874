import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Memories } from "../../../src/notes/memories/memories.ts";
import { documentStores } from "../../helpers/document-stores.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { filesStores } from "../../helpers/files-stores.ts";
import { memoriesIn, openMemories, primary } from "./open-memories.ts";

async function pagesOf(memories: Memories, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  for (let after: string | undefined; ; ) {
    const page = await memories.list({ limit, ...(after === undefined ? {} : { after }) });
    pages.push(page.memories.map(({ name }) => name));
    if (page.next === undefined) return pages;
    after = page.next;
  }
}

/** Spread over four folders and some topics, a few of them hidden behind others of their name. */
function manyMemories(count: number) {
  const places = [primary, "one", "two", "home/global"];
  const documents: Record<string, string> = {};
  const expected = new Set<string>();
  for (let index = 0; index < count; index += 1) {
    const name = [`n${index}`, `t${index % 7}/n${index}`, `T_${index % 3}/x/n ${index}`][index % 3] ?? "";
    const folder = places[index % 4] ?? primary;
    documents[`${folder}/${name}.md`] = "x";
    if (index % 5 === 0 && folder !== "home/global") documents[`two/${name}.md`] = "x";
    expected.add(folder === "home/global" ? `global/${name}` : name);
  }
  return { documents, expected };
}

describe.each(documentStores)("PG-1 memories on $name", (stores) => {
  const open = memoriesIn(stores);

  describe("the list of memories", () => {
    it("MEM-4 is sorted by whole names, and says folder, size, time, revision and summary of each", async () => {
      const { memories } = await open();
      const { rev } = await memories.write("a-b", "# Ünder");
      for (const name of ["a/b", "b", "a", "B", "ä", "a/a", "😀"]) await memories.write(name, "x");
      const { memories: entries, total, leftOut, next } = await memories.list();
      expect(entries.map(({ name }) => name)).toEqual(["B", "a", "a-b", "a/a", "a/b", "b", "ä", "😀"]);
      expect({ total, leftOut, next }).toEqual({ total: 8, leftOut: 0, next: undefined });
      const entry = entries.find(({ name }) => name === "a-b");
      expect(entry).toMatchObject({ folder: primary, size: 8, rev, summary: "Ünder", readOnly: false, shadowed: [] });
      expect(Math.abs((entry?.modified ?? 0) - Date.now())).toBeLessThan(60_000);
      expect(entry).not.toHaveProperty("remark");
    });

    it("MEM-4 is empty where there is nothing, not even a folder", async () => {
      const { memories, everything } = await open();
      const before = await everything();
      expect(await memories.list()).toEqual({ memories: [], total: 0, leftOut: 0, next: undefined });
      expect(await memories.list({ topic: "none" })).toMatchObject({ total: 0 });
      expect(await memories.overview()).toMatchObject({ count: 0, globalCount: 0, topics: [], newest: [] });
      expect(await everything()).toEqual(before);
    });

    it("MEM-4 shows a topic alone, at any depth and in all folders", async () => {
      const { memories, put } = await open({ additional: ["shared"] });
      for (const name of ["auth/a", "auth/deep/b", "authority", "auth", "other/auth/c"])
        await memories.write(name, "x");
      await put("shared/auth/d.md", "d");
      await put("shared/auth/a.md", "hidden");
      const list = async (topic: string) => (await memories.list({ topic })).memories.map(({ name }) => name);
      expect(await list("auth")).toEqual(["auth/a", "auth/d", "auth/deep/b"]);
      expect(await list("auth/")).toEqual(["auth/a", "auth/d", "auth/deep/b"]);
      expect(await list("mem:auth/deep")).toEqual(["auth/deep/b"]);
      expect(await list("nowhere")).toEqual([]);
      expect((await memories.list({ topic: "auth" })).memories[0]).toMatchObject({ shadowed: ["shared"] });
    });

    it.each([
      "../../..",
      "..",
      "a/../..",
      "/etc",
      "/",
      "a//b",
      ".",
      "\0",
      ".git",
      ".recollect",
      "mem:../..",
      "global/..",
    ])("MEM-4 refuses the topic %j", async (topic) => {
      const { memories } = await open({ global: "writable" });
      expect(await errorOf(() => memories.list({ topic }))).toMatchObject({ code: "INVALID_PATH" });
    });

    it.each([0, -1, 1.5, 1001, Number.NaN])("MEM-4 refuses a limit of %d", async (limit) => {
      const { memories } = await open();
      expect(await errorOf(() => memories.list({ limit }))).toMatchObject({ code: "INVALID_ARGUMENT" });
    });

    it("MEM-4 is paged over thousands of names without gaps or repeats, whatever the size of a page", async () => {
      const { memories, putAll } = await open({ additional: ["one", "two"], global: "read-only" });
      // What a page costs in a database is a round trip for each document.
      const count = stores === filesStores ? 2500 : 500;
      const { documents, expected } = manyMemories(count);
      await putAll(documents);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: count / 10, max: Math.min(count / 2, 1000) }), async (limit) => {
          const pages = await pagesOf(memories, limit);
          const names = pages.flat();
          expect(names).toHaveLength(count);
          expect(new Set(names)).toEqual(expected);
          expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
        }),
        { numRuns: stores === filesStores ? 4 : 2 },
      );
      const first = await memories.list();
      expect(first).toMatchObject({ total: count, leftOut: count - 100 });
      expect(first.memories).toHaveLength(100);
      // A memory that goes away, the one that the next page begins after among them, shifts nothing.
      const after = first.next ?? "";
      const following = await memories.list({ limit: 3, after });
      await memories.delete(after);
      expect(await memories.list({ limit: 3, after })).toMatchObject({
        memories: following.memories,
        total: count - 1,
      });
    });

    it("KER-11 a memory that is no text can be replaced, renamed and deleted", async () => {
      const { memories, put, text } = await open();
      const latin = Buffer.from([0x63, 0x61, 0x66, 0xe9]);
      for (const name of ["a", "b", "c"]) await put(`${primary}/${name}.md`, latin);
      await memories.write("refers", "mem:b");
      expect(await memories.write("a", "now a text")).toMatchObject({ created: false });
      expect(await text(`${primary}/a.md`)).toBe("now a text");
      expect(await memories.rename("b", "d")).toMatchObject({ rewritten: ["refers"] });
      expect(await memories.delete("c")).toMatchObject({ name: "c" });
      for (const run of [
        () => memories.append("d", "x"),
        () => memories.prepend("d", "x"),
        () => memories.edit("d", { needle: "c", replacement: "", mode: "regex", multiple: false }),
        () => memories.edit("d", { needle: "c", replacement: "", mode: "literal", multiple: false }),
      ]) {
        expect(await errorOf(run)).toMatchObject({ code: "NOT_UTF8" });
      }
    });

    it("MEM-4 the overview tells counts, topics by size and the newest, without opening a memory", async () => {
      const { memories, put } = await open({ additional: ["feature"], global: "writable" });
      for (const name of ["a/1", "a/2", "b/1", "plain", "global/x", "FEATURE_y"]) await memories.write(name, "x");
      await put(`${primary}/latin.md`, Buffer.from([0xe9]));
      // Times are told in milliseconds, and a quick disk writes two notes in one.
      await setTimeout(2);
      await memories.append("a/1", "newest");
      const overview = await memories.overview();
      expect(overview).toMatchObject({
        count: 6,
        globalCount: 1,
        topics: [
          { topic: "a", count: 2 },
          { topic: "b", count: 1 },
        ],
      });
      expect(overview.folders.map(({ folder }) => folder)).toEqual([primary, "feature", "home/global"]);
      expect(overview.newest).toHaveLength(5);
      expect(overview.newest[0]).toBe("a/1");
    });

    it("MEM-4 the overview opens no note", async () => {
      const { memories, putAll, store } = await open();
      const names = Array.from({ length: 101 }, (_, index) => `${primary}/n${index}.md`);
      await putAll(Object.fromEntries(names.map((name) => [name, "x"])));
      await memories.append("n7", "now");
      let reads = 0;
      const { read } = store;
      store.read = (at) => {
        reads += 1;
        return read(at);
      };
      const overview = await memories.overview();
      expect([overview.count, overview.newest[0]]).toEqual([101, "n7"]);
      expect(reads).toBe(0);
      await memories.delete("n0");
      reads = 0;
      expect((await memories.overview()).newest[0]).toBe("n7");
      expect(reads).toBeLessThanOrEqual(100);
    });
  });
});

// Links, and files that are too large to be read, are nothing that a database holds.
describe("the list of memories in folders", () => {
  it("MEM-4 shows what cannot be read with a remark, and everything else as ever", async () => {
    const { memories, put, path } = openMemories({ additional: ["shared"] });
    put(`${primary}/good.md`, "# Good");
    put(`${primary}/latin.md`, Buffer.from([0x63, 0x61, 0x66, 0xe9]));
    put(`${primary}/no-memory.txt`, "x");
    put("outside/secret.md", "secret");
    symlinkSync(path("outside/secret.md"), path(`${primary}/link.md`));
    symlinkSync(path("outside"), path(`${primary}/linked-topic`));
    symlinkSync(path(primary), path(`${primary}/loop`));
    mkdirSync(path(`${primary}/folder.md`));
    put(`${primary}/folder.md/inside.md`, "# Inside");
    put("shared/folder.md", "# A file");
    put("shared/latin.md", "hidden");
    writeFileSync(path(`${primary}/large.md`), Buffer.alloc(17 * 1024 * 1024, "x"));
    const { memories: entries } = await memories.list();
    expect(entries.map(({ name, remark, summary }) => [name, remark, summary])).toEqual([
      ["folder", undefined, "A file"],
      ["folder.md/inside", undefined, "Inside"],
      ["good", undefined, "Good"],
      ["large", "too-large", ""],
      ["latin", "not-utf8", ""],
      ["link", "link", ""],
      ["linked-topic", "link", ""],
      ["loop", "link", ""],
    ]);
    expect(entries.find(({ name }) => name === "latin")).toMatchObject({ shadowed: ["shared"] });
    expect(await memories.read("folder")).toMatchObject({ content: "# A file", folder: "shared" });
    expect(await errorOf(() => memories.read("link"))).toMatchObject({ code: "NOT_A_DOCUMENT" });
    expect(await errorOf(() => memories.read("large"))).toMatchObject({ code: "TOO_LARGE" });
    expect(await errorOf(() => memories.read("latin"))).toMatchObject({
      code: "NOT_UTF8",
      message: expect.stringContaining("“latin”"),
    });
    expect(await memories.list({ topic: "linked-topic" })).toMatchObject({ total: 0 });
    expect(await memories.list({ topic: "no-memory.txt" })).toMatchObject({ total: 0 });
    expect(await memories.overview()).toMatchObject({ count: 6 });
    expect(await memories.check()).toMatchObject({ checked: 4, dangling: [] });
  });

  it("KER-1 shows linked topics and notes with that remark, in every folder and topic, and follows none", async () => {
    const { memories, put, path } = openMemories({ additional: ["shared"], global: "read-only" });
    put("outside/secret.md", "secret mem:gone");
    put(`${primary}/topic/note.md`, "x");
    put(`${primary}/auth.md`, "# Auth");
    put("shared/rules.md", "# Rules");
    const links = ["topic/deep", "topic/linked.md", "auth", "rules", "dangling"];
    for (const link of links) symlinkSync(path("outside"), path(`${primary}/${link}`));
    for (const folder of ["shared", "home/global"]) symlinkSync(path("outside"), path(`${folder}/dangling`));
    rmSync(path(`${primary}/dangling`));
    symlinkSync("nowhere", path(`${primary}/dangling`));
    const listed = (await memories.list()).memories;
    expect(listed.map(({ name, folder, remark, shadowed }) => [name, folder, remark, shadowed])).toEqual([
      ["auth", primary, undefined, []],
      ["auth/", primary, "link", []],
      ["dangling", primary, "link", ["shared"]],
      ["rules", "shared", undefined, []],
      ["rules/", primary, "link", []],
      ["topic/deep", primary, "link", []],
      ["topic/linked", primary, "link", []],
      ["topic/note", primary, undefined, []],
      ["global/dangling", "home/global", "link", []],
    ]);
    expect(listed.filter(({ remark }) => remark).every(({ rev, size }) => rev === undefined && size === 0)).toBe(true);
    expect((await pagesOf(memories, 2)).flat()).toEqual(listed.map(({ name }) => name));
    expect((await memories.list({ topic: "topic" })).memories.map(({ name }) => name)).toEqual([
      "topic/deep",
      "topic/linked",
      "topic/note",
    ]);
    expect(await memories.names()).toEqual(["auth", "rules", "topic/linked", "topic/note"]);
    expect(await memories.overview()).toMatchObject({ count: 4, globalCount: 0 });
    expect((await memories.check()).dangling).toEqual([]);
    for (const name of ["topic/deep/secret", "dangling/secret", "topic/linked"]) {
      expect(await errorOf(() => memories.read(name)), name).toMatchObject({ code: "NOT_A_DOCUMENT" });
    }
  });
});
