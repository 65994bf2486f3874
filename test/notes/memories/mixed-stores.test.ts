import { describe, expect, it } from "vitest";
import { type DocumentStores, mixedStores } from "../../helpers/document-stores.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { globalFolder, openMixedMemories, primary } from "./open-memories.ts";

const literal = { needle: "old", replacement: "new", mode: "literal", multiple: false } as const;

/** The project's own folder in the one, the additional folders and the user's own in the other. */
function openWith({ one, other }: { one: DocumentStores; other: DocumentStores }) {
  const options = { additional: ["team/feature", "shared"], global: "writable" } as const;
  return openMixedMemories((root) => (root === primary ? one : other), options);
}

describe.each(mixedStores)("PG-1 memories in $one.name with additional folders in $other.name", (stores) => {
  it("MEM-4 MEM-5 MEM-7 are routed, listed and read as in one", async () => {
    const { memories, put, all } = await openWith(stores);
    await put("shared/y.md", "# Shared");
    expect(await memories.write("x", "# Own")).toMatchObject({ folder: primary, created: true });
    await put("shared/x.md", "# Hidden");
    expect(await memories.write("FEATURE_a", "# Routed")).toMatchObject({ folder: "team/feature", created: true });
    expect(await memories.write("global/style", "# Style")).toMatchObject({ folder: globalFolder });
    expect((await memories.list()).memories).toMatchObject([
      { name: "FEATURE_a", folder: "team/feature", summary: "Routed", shadowed: [] },
      { name: "x", folder: primary, summary: "Own", shadowed: ["shared"] },
      { name: "y", folder: "shared", summary: "Shared" },
      { name: "global/style", folder: globalFolder },
    ]);
    expect(await memories.read("x")).toMatchObject({ content: "# Own", folder: primary });
    expect(await memories.read("y")).toMatchObject({ content: "# Shared", folder: "shared" });
    expect(await memories.delete("x")).toMatchObject({ folder: primary, uncovered: "shared" });
    expect(await memories.overview()).toMatchObject({ count: 3, globalCount: 1 });
    expect(Object.keys(await all()).toSorted()).toEqual([
      `${globalFolder}/style.md`,
      "shared/x.md",
      "shared/y.md",
      "team/feature/FEATURE_a.md",
    ]);
  });

  it("MEM-9 MEM-13 are edited where they are", async () => {
    const { memories, put, text } = await openWith(stores);
    await memories.write("own", "old");
    await put("shared/theirs.md", "old");
    for (const name of ["own", "theirs"]) {
      await memories.edit(name, literal);
      await memories.append(name, "end");
      await memories.prepend(name, "begin");
    }
    expect(await text(`${primary}/own.md`)).toBe("begin\nnew\nend");
    expect(await text("shared/theirs.md")).toBe("begin\nnew\nend");
  });

  it("MEM-11 are renamed where they are, and references follow in both", async () => {
    const { memories, put, all } = await openWith(stores);
    await memories.write("old", "mem:old itself");
    await memories.write("near", "see mem:old");
    await put("shared/far.md", "see mem:old and mem:FEATURE_old");
    await put(`${globalFolder}/far.md`, "see mem:old");
    await memories.write("FEATURE_old", "x");
    expect(await memories.rename("old", "new")).toMatchObject({
      folder: primary,
      rewritten: ["far", "near", "new", "global/far"],
      notRewritten: [],
    });
    expect(await memories.rename("FEATURE_old", "FEATURE_new")).toMatchObject({ rewritten: ["far"] });
    expect(await all()).toEqual({
      [`${primary}/new.md`]: "mem:new itself",
      [`${primary}/near.md`]: "see mem:new",
      "shared/far.md": "see mem:new and mem:FEATURE_new",
      [`${globalFolder}/far.md`]: "see mem:new",
      "team/feature/FEATURE_new.md": "x",
    });
    expect((await memories.check()).dangling).toEqual([]);
  });

  it("MEM-11 are renamed also where a reference elsewhere cannot be rewritten, which is told", async () => {
    const { memories, put, text } = await openMixedMemories((root) => (root === primary ? stores.one : stores.other), {
      additional: ["shared", { folder: "frozen", readOnly: true }],
      protects: ["locked.md"],
    });
    await memories.write("old", "text");
    await put("frozen/a.md", "mem:old");
    await put("shared/locked.md", "mem:old");
    await put("shared/open.md", "mem:old");
    expect(await memories.rename("old", "new")).toMatchObject({
      rewritten: ["open"],
      notRewritten: [
        { name: "a", folder: "frozen" },
        { name: "locked", folder: "shared" },
      ],
    });
    expect(await text("shared/open.md")).toBe("mem:new");
  });

  it.each([
    ["x", "FEATURE_x", primary, "team/feature"],
    ["FEATURE_y", "global/y", "", ""],
    ["x", "global/x", primary, globalFolder],
  ])(
    "MEM-11 KER-7 %s becomes no %s where that lies in the other: it says what to do, and all stays",
    async (...row) => {
      const [from, to, here, there] = row;
      const { memories, all } = await openWith(stores);
      await memories.write("x", "mem:x");
      await memories.write("FEATURE_y", "mem:x");
      const before = await all();
      const error = await errorOf(() => memories.rename(from, to));
      if (here === "") {
        // Both are in the same one.
        expect(error).toBeUndefined();
        expect((await memories.read(to)).content).toBe("mem:x");
        return;
      }
      expect(error).toMatchObject({ code: "INVALID_ARGUMENT", data: { name: from, from: here, into: there } });
      expect(String(error)).toContain(`write “${to}” anew and then delete “${from}”`);
      expect(await all()).toEqual(before);
      // As it says.
      await memories.write(to, (await memories.read(from)).content);
      await memories.delete(from);
      expect(await memories.read(to)).toMatchObject({ folder: there, content: "mem:x" });
    },
  );

  it("KER-7 one operation over both is refused before anything is written", async () => {
    const { documents, all } = await openWith(stores);
    const places = [primary, "shared"].map((root) => ({ root, path: "a.md" as never }));
    const changes = places.map((at) => ({ kind: "put" as const, at, content: "x" }));
    const error = await errorOf(() => documents.commit(places, () => changes, { author: "agent:tester" }));
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", data: { roots: [primary, "shared"] } });
    expect(String(error)).toContain("Change the one, then the other");
    expect(await all()).toEqual({});
  });
});
