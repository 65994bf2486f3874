import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createReferenceFinder, createReferenceRewriter } from "../../../src/notes/memories/references.ts";
import { documentStores } from "../../helpers/document-stores.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { someRuns } from "../../helpers/some-cases.ts";
import { globalFolder, memoriesIn, openMemories, primary } from "./open-memories.ts";

const rewrite = (text: string, names: readonly string[] = [], from = "foo", to = "bar") =>
  createReferenceRewriter(new Set([from]), to, names).rewrite(text);
const referencesIn = (text: string, names: readonly string[] = []) => [
  ...new Set(Array.from(createReferenceFinder(names)(text), ({ name }) => name)),
];

describe("references", () => {
  it.each([
    ["mem:foo", "mem:bar"],
    ["`mem:foo`", "`mem:bar`"],
    ["mem:foo.md", "mem:bar.md"],
    ["see mem:foo. Then (mem:foo), [mem:foo]: “mem:foo”", "see mem:bar. Then (mem:bar), [mem:bar]: “mem:bar”"],
    ["mem:foo mem:foo\nmem:foo", "mem:bar mem:bar\nmem:bar"],
    ["詳細はmem:fooを参照", "詳細はmem:barを参照"],
  ])("MEM-11 %j becomes %j", (before, after) => {
    expect(rewrite(before)).toBe(after);
  });

  it.each([
    "mem:foobar",
    "mem:foo/x",
    "xmem:foo",
    "mem:foo-x",
    "mem:foo_x",
    "mem:foo2",
    "_mem:foo",
    "-mem:foo",
    "/mem:foo",
    "mem:x/foo",
    "mem:Foo",
    "mem: foo",
    "foo",
  ])("MEM-11 %j stays", (text) => {
    expect(rewrite(text)).toBe(text);
  });

  it("MEM-11 to a memory whose longer name begins alike stay, where there is such a memory", () => {
    expect(rewrite("mem:foo.bar mem:foo.", ["foo.bar"])).toBe("mem:foo.bar mem:bar.");
    expect(rewrite("mem:foo.bar", [])).toBe("mem:bar.bar");
    expect(rewrite("mem:fooé mem:foo", ["fooé"])).toBe("mem:fooé mem:bar");
    expect(rewrite("mem:foo two mem:foo twofold", ["foo two"])).toBe("mem:foo two mem:bar twofold");
  });

  it("MEM-11 take names with special characters for what they are", () => {
    expect(rewrite("mem:c++ mem:ccc", [], "c++", "$&")).toBe("mem:$& mem:ccc");
    expect(rewrite("mem:a.b mem:axb", [], "a.b", "$1")).toBe("mem:$1 mem:axb");
    expect(rewrite("mem:(x) mem:x", [], "(x)", "y")).toBe("mem:y mem:x");
  });

  it("MEM-12 are told from the text around them, and from the names that exist", () => {
    const found = referencesIn(
      "mem:c++ mem:two words, mem:foo.md mem:fooを mem:a.b. `mem:gone/x` mem:foo.bar xmem:no mem: mem:",
      ["c++", "two words", "foo", "a.b"],
    );
    expect(found).toEqual(["c++", "two words", "foo", "a.b", "gone/x"]);
  });

  it("MEM-11 touched by a slash are to a topic or a longer name, not to the memory", () => {
    expect(rewrite("mem:foo/ mem:foo/. /mem:foo mem:foo./")).toBe("mem:foo/ mem:foo/. /mem:foo mem:bar./");
  });

  it("MEM-11 that follow each other are each a reference of its own", () => {
    expect(rewrite("mem:mem:foo.mem:foo,mem:foo")).toBe("mem:mem:bar.mem:bar,mem:bar");
    expect(rewrite("mem:foo mem:foo", ["foo mem:foo"])).toBe("mem:bar mem:bar");
  });

  it("MEM-11 say how many bytes their rewriting takes", () => {
    const rewriter = createReferenceRewriter(new Set(["foo", "a/foo"]), "grün", ["foo.x"]);
    for (const text of ["mem:foo mem:a/foo. é mem:foo.x", "mem:foo", "none", ""]) {
      const grown = Buffer.byteLength(rewriter.rewrite(text)) - Buffer.byteLength(text);
      expect(rewriter.growth(text) ?? 0).toBe(grown);
    }
    expect(rewriter.growth("mem:foo.x mem:foox")).toBeUndefined();
    expect(createReferenceRewriter(new Set(["ab"]), "cd", []).growth("mem:ab")).toBe(0);
  });

  it("MEM-11 are the same as by the words of the contract, in any text", () => {
    const names = ["a", "a.b", "a b", "a.b.c", "b", "a/b", "é", "a.", "mem", "a.mem"];
    const piece = fc.constantFrom("mem:", "a", "b", "c", ".", " ", "/", "-", "é", "mem", ":", "x", ".md");
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
        fc.constantFrom(...names),
        (text, old) => {
          // The longest name that stands after `mem:`, with nothing of a name at its ends, and is the old one.
          const sorted = names.toSorted((one, other) => other.length - one.length);
          const any = sorted.map((name) => name.replace(/[.]/g, "\\.")).join("|");
          const reference = new RegExp(`(?<=(?<![A-Za-z0-9_\\-/])mem:)(${any})(?![A-Za-z0-9_\\-/])`, "g");
          const expected = text.replace(reference, (name) => (name === old ? "NEW" : name));
          expect(rewrite(text, names, old, "NEW")).toBe(expected);
        },
      ),
      { numRuns: someRuns(600, 3000) },
    );
  });

  it.each([
    ["marks without names", ".mem:".repeat(209_000), []],
    ["marks without anything between", "mem:".repeat(262_000), []],
    ["many names", "mem:a.1 ".repeat(131_000), []],
    ["names that almost go on for ever", "mem:a.".repeat(175_000), [`a${".mem:a".repeat(600)}`]],
    ["one endless name", `mem:${"a".repeat(1_000_000)}`, ["a".repeat(1000)]],
    ["one endless row of dots", `mem:${".//".repeat(500_000)}`, []],
  ])("MEM-12 of a hostile text with %s are looked at in one pass", (_, text, more) => {
    const names = [...Array.from({ length: 3000 }, (_, index) => `a.${index}`), ...more];
    const looked = countingText(text);
    for (const _ of createReferenceFinder(names)(looked.text)) void _;
    createReferenceRewriter(new Set(["a"]), "b", names).growth(looked.text);
    expect(looked.characters()).toBeLessThan(2 * 4 * text.length);
  });
});

/** A text that counts how many of its characters are looked at or copied. */
function countingText(text: string): { text: string; characters: () => number } {
  let characters = 0;
  const counted = {
    length: text.length,
    indexOf: (part: string, from: number) => {
      const at = text.indexOf(part, from);
      characters += (at === -1 ? text.length : at + part.length) - from;
      return at;
    },
    charCodeAt: (at: number) => {
      characters += 1;
      return text.charCodeAt(at);
    },
    slice: (from: number, to: number) => {
      const part = text.slice(from, to);
      characters += part.length;
      return part;
    },
  };
  return { text: counted as unknown as string, characters: () => characters };
}

describe.each(documentStores)("PG-1 memories on $name", (stores) => {
  const open = memoriesIn(stores);

  describe("rename", () => {
    it("MEM-11 moves a memory and rewrites what refers to it, in all folders and in itself", async () => {
      const { memories, put, text, has } = await open({ additional: ["shared"], global: "writable" });
      await memories.write("old", "# Old\nmem:old is this one");
      await memories.write("a/b", "`mem:old`, mem:old.md, not mem:older");
      await put("shared/c.md", "mem:old");
      await put("shared/d.md", "nothing");
      await put(`${globalFolder}/e.md`, "mem:old");
      const renamed = await memories.rename("mem:old.md", "topic/new.md");
      expect(renamed).toMatchObject({
        from: "old",
        to: "topic/new",
        folder: primary,
        rewritten: ["a/b", "c", "topic/new", "global/e"],
        notRewritten: [],
      });
      expect(await has(`${primary}/old.md`)).toBe(false);
      expect(await text(`${primary}/topic/new.md`)).toBe("# Old\nmem:topic/new is this one");
      expect(await text(`${primary}/a/b.md`)).toBe("`mem:topic/new`, mem:topic/new.md, not mem:older");
      expect(await text("shared/c.md")).toBe("mem:topic/new");
      expect(await text(`${globalFolder}/e.md`)).toBe("mem:topic/new");
      expect((await memories.read("topic/new")).rev).toBe(renamed.rev);
      expect((await memories.check()).dangling).toEqual([{ name: "a/b", folder: primary, reference: "older" }]);
    });

    it("MEM-11 also rewrites copies that other folders hide", async () => {
      const { memories, put, text } = await open({ additional: ["shared"] });
      await memories.write("old", "text");
      await put(`${primary}/x.md`, "mem:old");
      await put("shared/x.md", "hidden mem:old");
      await memories.rename("old", "new");
      expect(await text("shared/x.md")).toBe("hidden mem:new");
    });

    it("MEM-11 reports what refers to it and may not be changed", async () => {
      const { memories, put, text } = await open({
        additional: [{ folder: "frozen", readOnly: true }],
        global: "read-only",
        protects: ["locked.md"],
        documentBytes: 1000,
      });
      await memories.write("old", "text");
      await memories.write("open", "mem:old");
      await put("frozen/a.md", "mem:old");
      await put(`${globalFolder}/b.md`, "mem:old");
      await put(`${primary}/locked.md`, "mem:old");
      await put(`${primary}/a:b.md`, "mem:old");
      await put(`${primary}/grown.md`, `mem:old ${"x".repeat(2000)}`);
      await put(`${primary}/latin.md`, Buffer.from([0x6d, 0xe9]));
      const { rewritten, notRewritten } = await memories.rename("old", "new");
      expect(rewritten).toEqual(["open"]);
      expect(notRewritten).toEqual([
        { name: "a", folder: "frozen" },
        { name: "a:b", folder: primary },
        { name: "grown", folder: primary },
        { name: "locked", folder: primary },
        { name: "global/b", folder: globalFolder },
      ]);
      expect(await text(`${primary}/open.md`)).toBe("mem:new");
      for (const path of ["frozen/a.md", `${globalFolder}/b.md`, `${primary}/locked.md`, `${primary}/a:b.md`]) {
        expect(await text(path)).toBe("mem:old");
      }
    });

    it("MEM-11 never overwrites: a name that is taken in any folder is a CONFLICT", async () => {
      const { memories, put, all } = await open({ additional: ["feature", "shared"], global: "writable" });
      await memories.write("old", "old");
      await memories.write("taken", "primary");
      await memories.write("global/taken", "global");
      await put("shared/there.md", "shared");
      await put("shared/FEATURE_x.md", "shared");
      const before = await all();
      for (const name of ["taken", "there", "FEATURE_x", "global/taken"]) {
        expect(await errorOf(() => memories.rename("old", name)), name).toMatchObject({
          code: "CONFLICT",
          message: expect.stringContaining(name),
        });
      }
      expect(await errorOf(() => memories.rename("old", "mem:old.md"))).toMatchObject({ code: "INVALID_ARGUMENT" });
      expect(await errorOf(() => memories.rename("gone", "x"))).toMatchObject({ code: "NOT_FOUND" });
      expect(await errorOf(() => memories.rename("old", "../x"))).toMatchObject({ code: "INVALID_PATH" });
      expect(await all()).toEqual(before);
    });

    it("KER-6 of a revision that somebody replaced before its commit is a CONFLICT, and nothing is moved", async () => {
      let meanwhile = async () => {};
      // Asked for after everything was looked at, and before anything is held.
      const guard = async () => {
        await meanwhile();
        return () => {};
      };
      const { memories, put, all } = await open({ guard });
      const { rev } = await memories.write("old", "one");
      await memories.write("refers", "mem:old");
      meanwhile = () => put(`${primary}/old.md`, "two");
      expect(await errorOf(() => memories.rename("old", "new", { ifRev: rev }))).toMatchObject({
        code: "CONFLICT",
        message: expect.stringContaining("“old” is not as expected"),
      });
      expect(await all()).toEqual({ [`${primary}/old.md`]: "two", [`${primary}/refers.md`]: "mem:old" });
      meanwhile = async () => {};
      const { rev: now } = await memories.read("old");
      expect(await memories.rename("old", "new", { ifRev: now })).toMatchObject({ to: "new", rewritten: ["refers"] });
      expect(await all()).toEqual({ [`${primary}/new.md`]: "two", [`${primary}/refers.md`]: "mem:new" });
    });

    it("MEM-11 is refused where the new name is that of a file which is no text", async () => {
      const { memories, put, text } = await open();
      await memories.write("old", "old");
      await put(`${primary}/latin.md`, Buffer.from([0xe9]));
      expect(await errorOf(() => memories.rename("old", "latin"))).toHaveProperty("name", "RecollectError");
      expect(await text(`${primary}/old.md`)).toBe("old");
    });

    it("MEM-11 moves between folders by the prefix, and otherwise stays where the memory is", async () => {
      const { memories, put, text } = await open({ additional: ["feature", "spec"] });
      await memories.write("plain", "text");
      expect(await memories.rename("plain", "FEATURE_a")).toMatchObject({ folder: "feature" });
      expect(await memories.rename("FEATURE_a", "SPEC_a")).toMatchObject({ folder: "spec" });
      expect(await text("spec/SPEC_a.md")).toBe("text");
      expect(await memories.rename("SPEC_a", "plain")).toMatchObject({ folder: "spec" });
      await put("feature/b.md", "b");
      expect(await memories.rename("b", "deep/c")).toMatchObject({ folder: "feature" });
      expect(await text("feature/deep/c.md")).toBe("b");
    });

    it("MEM-11 moves to the user's own memories and back, and references follow", async () => {
      const { memories, text } = await open({ global: "writable" });
      await memories.write("style", "mem:style");
      await memories.write("index", "mem:style");
      expect(await memories.rename("style", "global/style")).toMatchObject({
        to: "global/style",
        folder: globalFolder,
      });
      expect(await text(`${globalFolder}/style.md`)).toBe("mem:global/style");
      expect((await memories.read("index")).content).toBe("mem:global/style");
      expect(await memories.rename("global/style", "house/style")).toMatchObject({ folder: primary });
      expect((await memories.read("index")).content).toBe("mem:house/style");
    });

    it("MEM-11 changes the case of a name alone", async () => {
      const { memories } = await open();
      await memories.write("Build", "text mem:Build");
      expect(await memories.rename("Build", "build")).toMatchObject({ to: "build" });
      expect((await memories.list()).memories.map(({ name }) => name)).toEqual(["build"]);
    });

    it("MEM-11 moves a memory under a name that begins with its own, and back", async () => {
      const { memories } = await open();
      await memories.write("auth", "mem:auth");
      await memories.rename("auth", "auth/index");
      expect((await memories.read("auth/index")).content).toBe("mem:auth/index");
      await memories.rename("auth/index", "auth");
      expect((await memories.read("auth")).content).toBe("mem:auth");
    });

    it("MEM-11 rewrites hundreds of references over many topics", async () => {
      const { memories, putAll } = await open({ additional: ["shared"] });
      await memories.write("old", "text");
      const referring = Array.from({ length: 300 }, (_, index) => [
        `${index % 2 ? primary : "shared"}/t${index % 10}/n${index}.md`,
        `mem:old ${index}`,
      ]);
      await putAll(Object.fromEntries(referring));
      expect((await memories.rename("old", "new")).rewritten).toHaveLength(300);
      expect((await memories.check()).dangling).toEqual([]);
    });

    it("MEM-11 moves a memory that has grown over the limit, and reports that it still refers to itself", async () => {
      const { memories, put, text } = await open({ documentBytes: 1000 });
      const grown = `mem:old ${"x".repeat(2000)}`;
      await put(`${primary}/old.md`, grown);
      expect(await memories.rename("old", "new")).toMatchObject({
        rewritten: [],
        notRewritten: [{ name: "new", folder: primary }],
      });
      expect(await text(`${primary}/new.md`)).toBe(grown);
    });

    it("MEM-11 of one memory to two names at once has one winner", async () => {
      const { memories } = await open();
      await memories.write("old", "text");
      await memories.write("index", "mem:old");
      const results = await Promise.allSettled([memories.rename("old", "one"), memories.rename("old", "two")]);
      expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const [name, ...others] = (await memories.list()).memories
        .map((entry) => entry.name)
        .filter((one) => one !== "index");
      expect(others).toEqual([]);
      expect((await memories.read("index")).content).toBe(`mem:${name}`);
    });
  });

  describe("check", () => {
    it("MEM-12 lists dangling references and shadowed names, and nothing where all is well", async () => {
      const { memories, put } = await open({ additional: ["shared"], global: "read-only" });
      await put(`${globalFolder}/style.md`, "mem:b");
      await memories.write("a", "mem:b, mem:b.md and mem:global/style.");
      await memories.write("b", "text");
      expect(await memories.check()).toEqual({ dangling: [], shadowed: [], checked: 3 });
      await put("shared/b.md", "hidden mem:gone and mem:gone");
      await put(`${primary}/latin.md`, Buffer.from([0xe9]));
      await memories.append("a", "mem:latin mem:../../x mem:.git/config mem:global/none");
      expect(await memories.check()).toEqual({
        dangling: [
          { name: "a", folder: primary, reference: "../../x" },
          { name: "a", folder: primary, reference: ".git/config" },
          { name: "a", folder: primary, reference: "global/none" },
          { name: "b", folder: "shared", reference: "gone" },
        ],
        shadowed: [{ name: "b", folder: primary, hidden: ["shared"] }],
        checked: 4,
      });
    });
  });
});

// A name as long as only folders take it, and work beside thousands of files.
describe("rename in folders", () => {
  it("MEM-11 makes no text that is larger than a memory may be, however many references it has", async () => {
    const { memories, put, has } = openMemories();
    put(`${primary}/a.md`, "text");
    put(`${primary}/many.md`, "mem:a ".repeat(170_000));
    // Rewritten, it would have more characters than a string can.
    const long = Array.from({ length: 16 }, () => "n".repeat(196)).join("/");
    expect(await memories.rename("a", long)).toMatchObject({ rewritten: [], notRewritten: [{ name: "many" }] });
    expect(has(`${primary}/${long}.md`)).toBe(true);
  });

  it("MEM-11 and MEM-12 let others work beside a clone's megabytes that are made to take long", async () => {
    const { memories, put } = openMemories();
    put(`${primary}/a.md`, "text");
    for (let index = 0; index < 3000; index += 1) put(`${primary}/a.${index}.md`, "x");
    for (let index = 0; index < 4; index += 1) put(`${primary}/hostile${index}.md`, ".mem:".repeat(209_000));
    for (const work of [() => memories.check(), () => memories.rename("a", "b")]) {
      let running = true;
      const done = work().finally(() => {
        running = false;
      });
      let reads = 0;
      while (running) {
        await memories.read("a.1");
        reads += 1;
        await new Promise((resolve) => setImmediate(resolve));
      }
      await done;
      // One after each of the large texts at least, and many between the small ones.
      expect(reads).toBeGreaterThan(10);
    }
  });
});
