import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Memories } from "../../../src/notes/memories/memories.ts";
import { documentStores } from "../../helpers/document-stores.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { documentsOf } from "../../helpers/folder-snapshot.ts";
import { memoriesIn, openMemories, primary } from "./open-memories.ts";

const literal = (needle: string, replacement: string) =>
  ({ needle, replacement, mode: "literal", multiple: false }) as const;

async function namesOf(memories: Memories): Promise<string[]> {
  return (await memories.list()).memories.map(({ name }) => name);
}

describe.each(documentStores)("PG-1 memories on $name", (stores) => {
  const open = memoriesIn(stores);

  describe("the operations of seed 001", () => {
    it("MEM-4 list_memories gathers the unique names of all folders", async () => {
      const { memories, put } = await open({ additional: ["shared", "team"] });
      await put(`${primary}/a.md`, "a");
      await put("shared/b.md", "b");
      await put("shared/a.md", "hidden");
      await put("team/c.md", "c");
      expect(await namesOf(memories)).toEqual(["a", "b", "c"]);
    });

    it("MEM-5 load_memory looks into the primary folder first, then into the others in their order", async () => {
      const { memories, put } = await open({ additional: ["one", "two"] });
      await put("two/x.md", "of two");
      expect(await memories.read("x")).toMatchObject({ content: "of two", folder: "two" });
      await put("one/x.md", "of one");
      expect(await memories.read("x")).toMatchObject({ content: "of one", folder: "one" });
      await put(`${primary}/x.md`, "of primary");
      expect(await memories.read("x")).toMatchObject({ content: "of primary", folder: primary });
    });

    it("MEM-6 save_memory writes where the memory exists, and a new one into the primary folder", async () => {
      const { memories, put, text, has } = await open({ additional: ["shared"] });
      await put("shared/old.md", "old");
      expect(await memories.write("old", "new")).toMatchObject({ folder: "shared", created: false });
      expect(await text("shared/old.md")).toBe("new");
      expect(await has(`${primary}/old.md`)).toBe(false);
      expect(await memories.write("fresh", "text")).toMatchObject({ folder: primary, created: true });
    });

    it("MEM-10 delete_memory deletes it wherever it exists", async () => {
      const { memories, put, has } = await open({ additional: ["shared"] });
      await put("shared/x.md", "x");
      expect(await memories.delete("x")).toEqual({ name: "x", folder: "shared", uncovered: undefined });
      expect(await has("shared/x.md")).toBe(false);
      expect(await errorOf(() => memories.delete("x"))).toMatchObject({ code: "NOT_FOUND" });
    });

    it("MEM-10 says which copy shows through after a deletion, and deletes that one next", async () => {
      const { memories, put } = await open({ additional: ["one", "two"] });
      for (const folder of [primary, "one", "two"]) await put(`${folder}/x.md`, folder);
      expect(await memories.delete("x")).toMatchObject({ folder: primary, uncovered: "one" });
      expect((await memories.read("x")).content).toBe("one");
      expect(await memories.delete("x")).toMatchObject({ folder: "one", uncovered: "two" });
      expect(await memories.delete("x")).toMatchObject({ folder: "two", uncovered: undefined });
    });
  });

  describe("several folders", () => {
    it("MEM-6 keeps two folders of one base name apart", async () => {
      const { memories, put, text } = await open({ additional: ["one/notes", "two/notes"] });
      await put("two/notes/x.md", "x");
      expect(await memories.append("x", "more")).toMatchObject({ folder: "two/notes" });
      expect(await memories.write("NOTES_x", "n")).toMatchObject({ folder: "one/notes" });
      expect(await text("one/notes/NOTES_x.md")).toBe("n");
      expect((await memories.list()).memories.map(({ folder }) => folder)).toEqual(["one/notes", "two/notes"]);
    });

    it("MEM-4 shows a name that exists in several folders once, with the places it hides", async () => {
      const { memories, put } = await open({ additional: ["one", "two"] });
      for (const folder of [primary, "one", "two"]) await put(`${folder}/x.md`, `# ${folder}`);
      expect((await memories.list()).memories).toMatchObject([
        { name: "x", folder: primary, shadowed: ["one", "two"], summary: primary },
      ]);
      expect((await memories.check()).shadowed).toEqual([{ name: "x", folder: primary, hidden: ["one", "two"] }]);
    });

    it("MEM-12 changes nothing in a folder that is read-only", async () => {
      const { memories, put, all } = await open({ additional: [{ folder: "frozen", readOnly: true }] });
      await put("frozen/x.md", "x");
      await memories.write("own", "own");
      const before = await all();
      const attempts = {
        write: () => memories.write("x", "new"),
        append: () => memories.append("x", "new"),
        prepend: () => memories.prepend("x", "new"),
        edit: () => memories.edit("x", literal("x", "y")),
        regex: () => memories.edit("x", { needle: "x", replacement: "y", mode: "regex", multiple: false }),
        delete: () => memories.delete("x"),
        renameFrom: () => memories.rename("x", "y"),
        renameTo: () => memories.rename("own", "FROZEN_own"),
      };
      for (const [name, attempt] of Object.entries(attempts)) {
        expect(await errorOf(attempt), name).toMatchObject({ code: "READ_ONLY" });
      }
      expect(await all()).toEqual(before);
      expect((await memories.list()).memories).toMatchObject([
        { name: "own", readOnly: false },
        { name: "x", readOnly: true, folder: "frozen" },
      ]);
      expect((await memories.read("x")).content).toBe("x");
    });

    it("MEM-12 holds read-only patterns for every operation and every spelling", async () => {
      const { memories, put, all } = await open({ protects: ["frozen/**", "**/*.lock.md"] });
      await put(`${primary}/frozen/x.md`, "x");
      await put(`${primary}/deep/a.lock.md`, "x");
      await memories.write("own", "see mem:frozen/x");
      const before = await all();
      for (const name of ["frozen/x", "mem:frozen/x.md", "deep/a.lock", "./frozen/x", "frozen//x", "frozen/./x"]) {
        const refusals = [
          () => memories.write(name, "new"),
          () => memories.append(name, "new"),
          () => memories.edit(name, literal("x", "y")),
          () => memories.delete(name),
          () => memories.rename(name, "free"),
          () => memories.rename("own", name),
        ];
        for (const refused of refusals) {
          expect((await errorOf(refused)) as object, name).toHaveProperty(
            "code",
            expect.stringMatching(/^(READ_ONLY|INVALID_PATH|CONFLICT)$/),
          );
        }
      }
      expect(await errorOf(() => memories.write("frozen/new", "new"))).toMatchObject({ code: "READ_ONLY" });
      expect(await errorOf(() => memories.rename("own", "frozen/new"))).toMatchObject({ code: "READ_ONLY" });
      expect(await all()).toEqual(before);
      expect((await memories.list({ topic: "frozen" })).memories).toMatchObject([{ name: "frozen/x", readOnly: true }]);
    });
  });
});

it("MEM-10 a deletion is done also where something unreadable has the name elsewhere", async () => {
  const { memories, put, has, path } = openMemories({ additional: ["one", "two"] });
  put("outside.md", "secret");
  put(`${primary}/x.md`, "x");
  symlinkSync(path("outside.md"), path("one/x.md"));
  put("two/x.md", Buffer.from([0xe9]));
  expect(await memories.delete("x")).toMatchObject({ folder: primary, uncovered: undefined });
  expect(has(`${primary}/x.md`)).toBe(false);
  rmSync(path("one/x.md"));
  put(`${primary}/x.md`, "x");
  expect(await memories.delete("x")).toMatchObject({ folder: primary, uncovered: "two" });
});

describe("an additional folder inside the primary one", () => {
  const nested = `${primary}/feature`;
  const open = () => openMemories({ additional: [nested] });

  it("MEM-8 lists a file once, by the name of the innermost folder", async () => {
    const { memories, text } = open();
    await memories.write("FEATURE_auth", "# Auth");
    expect(text(`${nested}/FEATURE_auth.md`)).toBe("# Auth");
    const { memories: entries, total } = await memories.list();
    expect(entries).toMatchObject([{ name: "FEATURE_auth", folder: nested, shadowed: [] }]);
    expect(total).toBe(1);
    expect(await memories.overview()).toMatchObject({ count: 1, newest: ["FEATURE_auth"] });
  });

  it("MEM-8 takes the longer spelling for the same memory, in every operation", async () => {
    const { memories, text, base } = open();
    const longer = "feature/FEATURE_auth";
    const same = { name: "FEATURE_auth", folder: nested };
    expect(await memories.write(longer, "one\n")).toMatchObject({ ...same, created: true });
    expect(await memories.read(longer)).toMatchObject({ ...same, content: "one\n" });
    expect(await memories.append(longer, "two\n")).toMatchObject({ ...same, created: false });
    expect(await memories.prepend(`mem:${longer}.md`, "zero\n")).toMatchObject(same);
    expect(await memories.edit(longer, literal("one", "1"))).toMatchObject({ ...same, count: 1 });
    const regex = { needle: "t(w)o", replacement: "2$!1", mode: "regex", multiple: false } as const;
    expect(await memories.edit(longer, regex)).toMatchObject(same);
    expect((await memories.read("FEATURE_auth")).content).toBe("zero\n1\n2w\n");
    expect(await errorOf(() => memories.write(longer, "", { mustNotExist: true }))).toMatchObject({ code: "CONFLICT" });
    expect(await memories.rename(longer, "feature/FEATURE_login")).toMatchObject({
      from: "FEATURE_auth",
      to: "FEATURE_login",
      folder: nested,
    });
    expect(text(`${nested}/FEATURE_login.md`)).toBe("zero\n1\n2w\n");
    expect(await memories.delete("feature/FEATURE_login")).toMatchObject({ name: "FEATURE_login", folder: nested });
    expect(Object.values(documentsOf(base)).filter((what) => what.startsWith("file"))).toEqual([]);
  });

  it("MEM-8 finds what lies below the longer topic, once", async () => {
    const { memories, put } = open();
    put(`${nested}/FEATURE_a.md`, "a");
    put(`${nested}/deep/b.md`, "b");
    put(`${primary}/other.md`, "other");
    expect((await memories.list({ topic: "feature" })).memories.map(({ name }) => name)).toEqual([
      "FEATURE_a",
      "deep/b",
    ]);
    expect((await memories.list({ topic: "feature/deep" })).memories.map(({ name }) => name)).toEqual(["deep/b"]);
    expect((await memories.list({ topic: "deep" })).memories.map(({ name }) => name)).toEqual(["deep/b"]);
  });

  it("MEM-8 knows a reference by the longer spelling, in check and in rename", async () => {
    const { memories } = open();
    await memories.write("FEATURE_auth", "see mem:feature/FEATURE_auth");
    await memories.write("index", "`mem:feature/FEATURE_auth`, mem:FEATURE_auth and mem:feature/FEATURE_auth/x");
    expect((await memories.check()).dangling).toEqual([
      { name: "index", folder: primary, reference: "feature/FEATURE_auth/x" },
    ]);
    expect(await memories.rename("FEATURE_auth", "FEATURE_login")).toMatchObject({
      rewritten: ["FEATURE_login", "index"],
    });
    expect((await memories.read("FEATURE_login")).content).toBe("see mem:FEATURE_login");
    expect((await memories.read("index")).content).toBe(
      "`mem:FEATURE_login`, mem:FEATURE_login and mem:feature/FEATURE_auth/x",
    );
  });

  it("MEM-5 searches and lists in the same order where the inner folder is configured after another", async () => {
    const { memories, put } = openMemories({ additional: ["shared", nested] });
    put("shared/x.md", "of shared");
    put(`${nested}/x.md`, "of feature");
    expect(await memories.read("x")).toMatchObject({ folder: "shared", content: "of shared" });
    expect((await memories.list()).memories).toMatchObject([{ name: "x", folder: "shared", shadowed: [nested] }]);
    expect(await memories.delete("x")).toMatchObject({ folder: "shared", uncovered: nested });
  });

  it("MEM-8 is not made again by its longer spelling once it was deleted", async () => {
    const { memories, has, path } = open();
    rmSync(path(nested), { recursive: true });
    expect(await errorOf(() => memories.write("feature/x", "x"))).toMatchObject({ code: "NOT_FOUND" });
    expect(has(nested)).toBe(false);
  });
});

// Spaces of a database are always there, and lie in no other.
describe("folders that come and go", () => {
  it("MEM-2 leaves out a folder that does not exist, in every operation, and never makes it", async () => {
    const { memories, has } = openMemories({ additional: [{ folder: "absent", missing: true }, "shared"] });
    await memories.write("x", "one");
    await memories.append("x", "two");
    await memories.edit("x", literal("one", "1"));
    expect((await memories.read("x")).content).toBe("1\ntwo");
    expect(await namesOf(memories)).toEqual(["x"]);
    expect(await memories.overview()).toMatchObject({ count: 1 });
    expect(await memories.check()).toMatchObject({ checked: 1 });
    await memories.rename("x", "y");
    await memories.delete("y");
    expect(await errorOf(() => memories.read("ABSENT_x"))).toMatchObject({ code: "NOT_FOUND" });
    expect(has("absent")).toBe(false);
  });

  it("MEM-2 goes on where a folder is deleted while it is open, and takes it up again when it comes back", async () => {
    const { memories, put, path, has } = openMemories({ additional: ["feature", "shared"] });
    await memories.write("FEATURE_x", "routed");
    put("shared/y.md", "y");
    rmSync(path("feature"), { recursive: true });
    expect(await namesOf(memories)).toEqual(["y"]);
    expect(await errorOf(() => memories.read("FEATURE_x"))).toMatchObject({ code: "NOT_FOUND" });
    expect(await memories.write("FEATURE_x", "again")).toMatchObject({ folder: primary });
    expect(has("feature")).toBe(false);
    mkdirSync(path("feature"));
    expect(await memories.write("FEATURE_z", "back")).toMatchObject({ folder: "feature" });
    rmSync(path(primary), { recursive: true });
    expect(await memories.write("new", "made again")).toMatchObject({ folder: primary });
    expect(await namesOf(memories)).toEqual(["FEATURE_z", "new", "y"]);
  });

  it("MEM-2 goes on where a folder became a file or a link", async () => {
    const { memories, put, path } = openMemories({ additional: ["one", "two"] });
    put("elsewhere/secret.md", "secret");
    put(`${primary}/x.md`, "x");
    rmSync(path("one"), { recursive: true });
    writeFileSync(path("one"), "a file");
    renameSync(path("two"), path("three"));
    symlinkSync(path("elsewhere"), path("two"));
    expect(await namesOf(memories)).toEqual(["x"]);
    expect((await memories.read("x")).content).toBe("x");
    expect(await errorOf(() => memories.read("secret"))).toMatchObject({ name: "RecollectError" });
    await memories.write("y", "y");
    expect(await memories.overview()).toMatchObject({ count: 2 });
  });
});
