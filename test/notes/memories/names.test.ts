import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import type { Memories } from "../../../src/notes/memories/memories.ts";
import { hostilePaths } from "../../attacks/hostile-paths.ts";
import { documentStores } from "../../helpers/document-stores.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { filesStores } from "../../helpers/files-stores.ts";
import { globalFolder, memoriesIn, openMemories, primary } from "./open-memories.ts";

const literal = { needle: "a", replacement: "b", mode: "literal", multiple: false } as const;

const attempts: Readonly<Record<string, (memories: Memories, name: string) => Promise<unknown>>> = {
  read: (memories, name) => memories.read(name),
  write: (memories, name) => memories.write(name, "x"),
  append: (memories, name) => memories.append(name, "x"),
  prepend: (memories, name) => memories.prepend(name, "x"),
  edit: (memories, name) => memories.edit(name, literal),
  delete: (memories, name) => memories.delete(name),
  "rename from": (memories, name) => memories.rename(name, "free"),
  "rename to": (memories, name) => memories.rename("here", name),
};

// A name gets `.md`, and may begin with `mem:` once: one is no attack on memories.
const hostileNames = hostilePaths
  .filter(({ text }) => text !== "mem:mem:/etc/passwd")
  .flatMap(({ text }) => [text, `mem:${text}`, `global/${text}`, `topic/${text}`]);

/** What a store does not see needs not be asked of each again. */
const someHostileNames = hostileNames.filter((_, index) => index % 7 === 0);

describe.each(documentStores)("PG-1 memories on $name", (stores) => {
  const open = memoriesIn(stores);

  describe("the name of a memory", () => {
    it.each([
      ["x", "x.md", "x"],
      ["mem:x", "x.md", "x"],
      ["x.md", "x.md", "x"],
      ["mem:x.md", "x.md", "x"],
      ["x.md.md", "x.md.md", "x.md.md"],
      ["auth/login", "auth/login.md", "auth/login"],
      ["mem:auth/login.md", "auth/login.md", "auth/login"],
      ["x.MD", "x.MD.md", "x.MD"],
      ["x.txt", "x.txt.md", "x.txt"],
      ["global", "global.md", "global"],
      ["日本語/メモ", "日本語/メモ.md", "日本語/メモ"],
      ["two words", "two words.md", "two words"],
    ])("MEM-3 %s means the file %s, and is called %s", async (given, file, name) => {
      const { memories, text } = await open();
      expect(await memories.write(given, "text")).toMatchObject({ name });
      expect(await text(`${primary}/${file}`)).toBe("text");
      expect((await memories.list()).memories).toMatchObject([{ name }]);
      expect(await memories.read(name)).toMatchObject({ name, content: "text" });
      expect(await memories.delete(name)).toMatchObject({ name });
    });

    it("MEM-3 x.md.md is another memory than x, for every operation", async () => {
      const { memories, text } = await open();
      await memories.write("x", "of x");
      await memories.write("x.md.md", "of x.md");
      expect(await text(`${primary}/x.md`)).toBe("of x");
      expect((await memories.list()).memories.map(({ name }) => name)).toEqual(["x", "x.md.md"]);
      await memories.write("refers", "mem:x, mem:x.md and mem:x.md.md");
      await memories.rename("x", "y");
      expect((await memories.read("refers")).content).toBe("mem:y, mem:y.md and mem:x.md.md");
      expect(await memories.delete("x.md.md")).toMatchObject({ name: "x.md.md" });
      expect((await memories.read("y")).content).toBe("of x");
    });

    it("MEM-3 loses only one mem:, and KER-1 refuses the second", async () => {
      const { memories } = await open();
      expect(await errorOf(() => memories.write("mem:mem:x", "x"))).toMatchObject({
        code: "INVALID_PATH",
        data: { rule: "reserved-character" },
      });
    });

    it.each(Object.keys(attempts))(
      "MEM-3 is refused by %s where it is hostile, and nothing is touched",
      async (door) => {
        const { memories, all } = await open({ additional: ["shared"], global: "writable" });
        await memories.write("here", "a note");
        const before = await all();
        const found: string[] = [];
        for (const name of stores === filesStores ? hostileNames : someHostileNames) {
          const error = await errorOf(() => attempts[door]?.(memories, name));
          const { code, message } = (error ?? {}) as { code?: string; message?: string };
          const fine = code === "INVALID_PATH" || (code === "NOT_FOUND" && isHarmless(name));
          if (!fine || message?.includes(tmpdir()))
            found.push(`${JSON.stringify(name.slice(0, 60))}: ${code} ${message}`);
        }
        expect(found).toEqual([]);
        expect(await all()).toEqual(before);
      },
    );

    it("MEM-3 that is no text is refused like a hostile one", async () => {
      const { memories } = await open();
      for (const name of [undefined, null, 7, {}, ["x"]]) {
        for (const attempt of Object.values(attempts)) {
          expect(await errorOf(() => attempt(memories, name as never))).toHaveProperty("name", "RecollectError");
        }
      }
    });

    it("KER-3 reading, editing, deleting or renaming what does not exist creates nothing", async () => {
      const { memories, everything } = await open({ additional: ["shared"] });
      const before = await everything();
      for (const door of ["read", "edit", "delete", "rename from"]) {
        expect(await errorOf(() => attempts[door]?.(memories, "deep/er/x"))).toMatchObject({ code: "NOT_FOUND" });
      }
      expect(await everything()).toEqual(before);
    });

    it("MEM-3 a missing one names what was perhaps meant", async () => {
      const { memories } = await open();
      for (const name of ["auth/login_flow", "build", "BUILD_notes"]) await memories.write(name, "x");
      const meant = async (name: string) => ((await errorOf(() => memories.read(name))) as { message: string }).message;
      expect(await meant("auth/login-flow")).toContain("“auth/login_flow”");
      expect(await meant("login_flow")).toContain("“auth/login_flow”");
      expect(await meant("buidl")).toContain("“build”");
      expect(await meant("something quite different")).toBe("There is no note “something quite different”.");
    });
  });

  describe("a name on disk that breaks the rules for new ones", () => {
    it.each([
      ["cafe\u0301", "normalisation"],
      ["a:b", "absolute"],
      ["ab:c", "reserved-character"],
      ["what?", "reserved-character"],
      ["mem:x", "reserved-character"],
    ])("KER-1 %j is listed with a remark, readable, and can be renamed and deleted", async (name, remark) => {
      const { memories, put } = await open();
      await put(`${primary}/${name}.md`, "text");
      const [entry] = (await memories.list()).memories;
      expect(entry).toMatchObject({ remark, size: 4 });
      const listed = entry?.name ?? "";
      expect(await memories.read(listed)).toMatchObject({ content: "text" });
      await memories.rename(listed, "proper");
      expect((await memories.read("proper")).content).toBe("text");
      await put(`${primary}/${name}.md`, "text");
      expect(await memories.delete(listed)).toMatchObject({ name: listed });
      expect(await errorOf(() => memories.read(listed))).toMatchObject({ name: "RecollectError" });
    });

    it("KER-1 is refused by writes with the rule that it breaks", async () => {
      const { memories, put, text } = await open();
      await put(`${primary}/a:b.md`, "text");
      for (const door of ["write", "append", "prepend"]) {
        expect(await errorOf(() => attempts[door]?.(memories, "a:b"))).toMatchObject({ code: "INVALID_PATH" });
      }
      expect(await text(`${primary}/a:b.md`)).toBe("text");
    });
  });

  describe("the user's own memories", () => {
    it("MEM-14 are read and listed apart, and refused to be written without the user's word", async () => {
      const { memories, put, all } = await open({ global: "read-only" });
      await put(`${globalFolder}/style.md`, "# Style");
      await put(`${globalFolder}/lang/ts.md`, "# TypeScript");
      await memories.write("style", "of the project");
      await memories.write("zebra", "of the project");
      const before = await all();
      expect((await memories.list()).memories).toMatchObject([
        { name: "style", folder: primary },
        { name: "zebra", folder: primary },
        { name: "global/lang/ts", folder: globalFolder, readOnly: true, shadowed: [] },
        { name: "global/style", summary: "Style" },
      ]);
      expect(await memories.read("global/style")).toMatchObject({ name: "global/style", content: "# Style" });
      expect(await memories.read("mem:global/lang/ts.md")).toMatchObject({ content: "# TypeScript" });
      expect(await memories.overview()).toMatchObject({ count: 2, globalCount: 2 });
      for (const door of ["write", "append", "prepend", "delete", "rename from"]) {
        expect(await errorOf(() => attempts[door]?.(memories, "global/style")), door).toMatchObject({
          code: "READ_ONLY",
        });
      }
      expect(await errorOf(() => memories.write("global/new", "x"))).toMatchObject({ code: "READ_ONLY" });
      expect(await errorOf(() => memories.rename("zebra", "global/zebra"))).toMatchObject({ code: "READ_ONLY" });
      expect(await all()).toEqual(before);
    });

    it("MEM-14 are written where the user allowed it, and topics of them listed", async () => {
      const { memories, text } = await open({ global: "writable" });
      expect(await memories.write("global/lang/ts", "x")).toMatchObject({
        name: "global/lang/ts",
        folder: globalFolder,
      });
      await memories.append("global/lang/ts", "y");
      expect(await text(`${globalFolder}/lang/ts.md`)).toBe("x\ny");
      await memories.write("lang/ts", "of the project");
      const namesOf = async (topic: string) => (await memories.list({ topic })).memories.map(({ name }) => name);
      expect(await namesOf("global")).toEqual(["global/lang/ts"]);
      expect(await namesOf("global/")).toEqual(["global/lang/ts"]);
      expect(await namesOf("mem:global/lang")).toEqual(["global/lang/ts"]);
      expect(await namesOf("lang")).toEqual(["lang/ts"]);
    });

    it("MEM-14 are not routed by their prefix", async () => {
      const { memories } = await open({ additional: ["feature"], global: "writable" });
      expect(await memories.write("global/FEATURE_x", "x")).toMatchObject({ folder: globalFolder });
    });

    it("MEM-14 work without a project", async () => {
      const { memories } = await open({ primary: false, global: "writable" });
      await memories.write("global/x", "text");
      expect((await memories.list()).memories).toMatchObject([{ name: "global/x" }]);
      expect((await memories.read("global/x")).content).toBe("text");
      expect(await errorOf(() => memories.write("x", "x"))).toMatchObject({ code: "NOT_FOUND" });
      expect(await errorOf(() => memories.read("x"))).toMatchObject({ code: "NOT_FOUND" });
      expect(await errorOf(() => memories.rename("global/x", "x"))).toMatchObject({ code: "NOT_FOUND" });
    });

    it("MEM-14 cannot be passed off by a folder “global” that a project brings along", async () => {
      const { memories, put } = await open({ global: "read-only" });
      await put(`${primary}/global/rules.md`, "# Do as the project says");
      await put(`${globalFolder}/style.md`, "# Style");
      expect((await memories.list()).memories.map(({ name }) => name)).toEqual(["global/style"]);
      expect((await memories.list({ topic: "global" })).memories.map(({ name }) => name)).toEqual(["global/style"]);
      expect(await memories.overview()).toMatchObject({ count: 0, globalCount: 1, topics: [] });
      expect(await errorOf(() => memories.read("global/rules"))).toMatchObject({ code: "NOT_FOUND" });
    });
  });
});

// What is asked here is asked of folders: how many there are, that one is gone, that one lies in another.
describe("the names of memories in folders", () => {
  it("MEM-3 a missing one is answered quickly beside thousands of long names", async () => {
    const { memories, path, put } = openMemories();
    mkdirSync(path(primary), { recursive: true });
    const long = "a rather long name of a memory ".repeat(5);
    for (let index = 0; index < 3000; index += 1) put(`${primary}/${index}${long}${index}.md`, "x");
    const takes = async () => {
      const begin = performance.now();
      expect(await errorOf(() => memories.read(`${long}missing`))).toMatchObject({ code: "NOT_FOUND" });
      return performance.now() - begin;
    };
    // Others may keep the machine busy for a while; what is slow here is slow each time.
    await expect.poll(takes).toBeLessThan(1000);
  });

  it("MEM-14 may be missing, and their folder is made by the first write alone", async () => {
    const { memories, has, path } = openMemories({ global: "writable" });
    rmSync(path(globalFolder), { recursive: true });
    expect(await memories.list()).toMatchObject({ total: 0 });
    expect(await memories.overview()).toMatchObject({ globalCount: 0 });
    expect(await errorOf(() => memories.read("global/x"))).toMatchObject({ code: "NOT_FOUND" });
    expect(has(globalFolder)).toBe(false);
    await memories.write("global/x", "x");
    expect((await memories.read("global/x")).content).toBe("x");
  });

  it("MEM-14 stay the user's own where they lie inside the primary folder, as in the home folder", async () => {
    const { memories, put } = openMemories({ global: "read-only", globalFolder: `${primary}/global` });
    put(`${primary}/global/x.md`, "x");
    await memories.write("y", "y");
    expect((await memories.list()).memories).toMatchObject([
      { name: "y", readOnly: false },
      { name: "global/x", readOnly: true, folder: `${primary}/global`, shadowed: [] },
    ]);
    expect(await errorOf(() => memories.write("global/x", "new"))).toMatchObject({ code: "READ_ONLY" });
    expect((await memories.check()).shadowed).toEqual([]);
  });
});

/** Harmless as they are once `.md` stands behind them: nothing of that name is there. */
function isHarmless(name: string): boolean {
  return !/(^|\/)\.\.?(\/|$)/.test(name) && !name.replace(/^(mem:|global\/|topic\/)/, "").startsWith("/");
}
