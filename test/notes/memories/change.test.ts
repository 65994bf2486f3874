import { describe, expect, it } from "vitest";
import type { Expectation } from "../../../src/kernel/conflict.ts";
import { revisionOf } from "../../../src/kernel/revision.ts";
import type { Memories } from "../../../src/notes/memories/memories.ts";
import { documentStores } from "../../helpers/document-stores.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { memoriesIn, primary } from "./open-memories.ts";

describe.each(documentStores)("PG-1 memories on $name", (stores) => {
  const open = memoriesIn(stores);

  describe("append", () => {
    it.each([
      ["", "line", "line"],
      ["one\n", "two\n", "one\ntwo\n"],
      ["one", "two", "one\ntwo"],
      ["one\r\n", "two", "one\r\ntwo"],
      ["one\n\n", "two", "one\n\ntwo"],
      ["---\na: 1\n---\n", "two", "---\na: 1\n---\ntwo"],
    ])("MEM-13 to %j of %j gives %j", async (before, content, after) => {
      const { memories, text } = await open();
      await memories.write("x", before);
      expect(await memories.append("x", content)).toMatchObject({
        created: false,
        rev: revisionOf(Buffer.from(after)),
      });
      expect(await text(`${primary}/x.md`)).toBe(after);
    });

    it("MEM-13 creates what is missing, where a write would", async () => {
      const { memories, text } = await open({ additional: ["feature"] });
      expect(await memories.append("FEATURE_x", "line\n")).toMatchObject({ folder: "feature", created: true });
      expect(await text("feature/FEATURE_x.md")).toBe("line\n");
    });

    it("MEM-13 goes where the memory is", async () => {
      const { memories, put, text } = await open({ additional: ["feature", "shared"] });
      await put("shared/FEATURE_x.md", "one");
      await memories.append("FEATURE_x", "two");
      await memories.prepend("FEATURE_x", "zero");
      expect(await text("shared/FEATURE_x.md")).toBe("zero\none\ntwo");
    });

    it("KER-12 does not let a memory grow over the limit", async () => {
      const { memories, text } = await open({ documentBytes: 20 });
      await memories.write("x", "0123456789");
      for (const run of [() => memories.append("x", "0123456789"), () => memories.prepend("x", "0123456789")]) {
        expect(await errorOf(run)).toMatchObject({ code: "TOO_LARGE", data: { limit: 20, size: 21 } });
      }
      expect(await text(`${primary}/x.md`)).toBe("0123456789");
    });
  });

  describe("prepend", () => {
    it.each([
      ["", "line", "line"],
      ["two", "one", "one\ntwo"],
      ["two\n", "one\n", "one\ntwo\n"],
      ["---\na: 1\n---\n# Title\n", "one", "---\na: 1\n---\none\n# Title\n"],
      ["---\r\na: 1\r\n---\r\nbody", "one", "---\r\na: 1\r\n---\r\none\nbody"],
      ["---\na: 1\n---", "one", "---\na: 1\n---\none"],
      ["---\na: 1\n...  ", "one", "---\na: 1\n...  \none"],
      [
        "---\n\n# for the site\nDate created: x\n---\nbody",
        "one",
        "---\n\n# for the site\nDate created: x\n---\none\nbody",
      ],
      ["---\njust text\n---\nbody", "one", "one\n---\njust text\n---\nbody"],
      ["\uFEFFbody", "one", "\uFEFFone\nbody"],
      ["---\nno end", "one", "one\n---\nno end"],
    ])("MEM-13 to %j of %j gives %j", async (before, content, after) => {
      const { memories, text } = await open();
      await memories.write("x", before);
      await memories.prepend("x", content);
      expect(await text(`${primary}/x.md`)).toBe(after);
    });

    it("MEM-13 creates what is missing", async () => {
      const { memories } = await open();
      expect(await memories.prepend("x", "line")).toMatchObject({ folder: primary, created: true });
      expect((await memories.read("x")).content).toBe("line");
    });
  });

  describe("what the caller expects to be there", () => {
    const changes: Record<string, (memories: Memories, expected: Expectation) => Promise<unknown>> = {
      write: (memories, expected) => memories.write("x", "new", expected),
      append: (memories, expected) => memories.append("x", "new", expected),
      prepend: (memories, expected) => memories.prepend("x", "new", expected),
      edit: (memories, expected) =>
        memories.edit("x", { needle: "o", replacement: "new", mode: "literal", multiple: false }, expected),
      "edit by regex": (memories, expected) =>
        memories.edit("x", { needle: "o", replacement: "new", mode: "regex", multiple: false }, expected),
      delete: (memories, expected) => memories.delete("x", expected),
    };

    it.each(Object.entries(changes))(
      "KER-6 %s is a CONFLICT with the current rev, in the memory's name",
      async (_, change) => {
        const { memories, text } = await open({ additional: ["shared"] });
        const { rev } = await memories.write("x", "old");
        const stale = revisionOf(Buffer.from("older"));
        for (const expected of [{ ifRev: stale }, { mustNotExist: true }]) {
          expect(await errorOf(() => change(memories, expected))).toMatchObject({
            code: "CONFLICT",
            data: { current: rev, path: "x", root: primary },
          });
        }
        expect(await text(`${primary}/x.md`)).toBe("old");
        await change(memories, { ifRev: rev });
      },
    );

    it("KER-6 what must not exist may not exist in any folder", async () => {
      const { memories, put, has } = await open({ additional: ["shared"] });
      await put("shared/x.md", "old");
      for (const change of [changes["write"], changes["append"], changes["prepend"]]) {
        expect(await errorOf(() => change?.(memories, { mustNotExist: true }))).toMatchObject({ code: "CONFLICT" });
      }
      expect(await has(`${primary}/x.md`)).toBe(false);
      expect(await memories.write("y", "y", { mustNotExist: true })).toMatchObject({ created: true });
    });

    it("KER-6 a revision of what is gone is a CONFLICT too, and nothing is made", async () => {
      const { memories, has } = await open();
      const { rev } = await memories.write("x", "old");
      await memories.delete("x");
      for (const change of [changes["write"], changes["append"], changes["prepend"]]) {
        expect(await errorOf(() => change?.(memories, { ifRev: rev }))).toMatchObject({
          code: "CONFLICT",
          data: { current: undefined },
        });
      }
      expect(await has(`${primary}/x.md`)).toBe(false);
    });

    it("KER-6 a regex edit sees what a person's editor wrote meanwhile", async () => {
      const { memories, put, text } = await open();
      const { rev } = await memories.write("x", "old");
      await put(`${primary}/x.md`, "edited by hand: o");
      const edit = { needle: "o$", replacement: "new", mode: "regex", multiple: false } as const;
      expect(await errorOf(() => memories.edit("x", edit, { ifRev: rev }))).toMatchObject({ code: "CONFLICT" });
      await memories.edit("x", edit);
      expect(await text(`${primary}/x.md`)).toBe("edited by hand: new");
    });
  });
});
