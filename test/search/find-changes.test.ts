import fc from "fast-check";
import { expect, it } from "vitest";
import type { Source } from "../../src/kernel/source.ts";
import { findAllChanges, findChangesAt, folderOf } from "../../src/search/find-changes.ts";
import { openMemoryIndex } from "../../src/search/index/open-index.ts";

const path = fc.constantFrom("a.md", "b.md", "a-b.md", "a.b/c.md", "a/a.md", "a/b.md", "a/b/c.md", "ab/c.md", "z/a.md");
const documents = fc.dictionary(path, fc.integer({ min: 1, max: 3 })).map((found) => new Map(Object.entries(found)));

function sourceOf(present: ReadonlyMap<string, number>): Pick<Source, "survey"> {
  return {
    *survey(at = "") {
      const below = [...present].filter(([one]) => at === "" || one === at || one.startsWith(`${at}/`));
      const folders = new Set(below.map(([one]) => folderOf(one)));
      for (const folder of folders) {
        yield {
          folder,
          documents: below.filter(([one]) => folderOf(one) === folder).map(([one, stamp]) => ({ path: one, stamp })),
        };
      }
    },
  };
}

function indexOf(known: ReadonlyMap<string, number>) {
  const index = openMemoryIndex();
  const put = [...known].map(([one, stamp]) => ({
    path: one,
    folder: folderOf(one),
    stamp,
    modified: 0,
    kind: "memory" as const,
    flagged: false,
    units: [],
    shown: [],
  }));
  index.apply({ put, remove: [] });
  return index;
}

it("SRCH-3 a look at everything names what is new, changed or gone, with the stamp that the index has", async () => {
  await fc.assert(
    fc.asyncProperty(documents, documents, async (known, present) => {
      const index = indexOf(known);
      const expected = [...new Set([...known.keys(), ...present.keys()])]
        .filter((one) => known.get(one) !== present.get(one))
        .map((one) => [one, known.get(one)]);
      const found = await findAllChanges(sourceOf(present).survey(), index);
      expect([...found].sort()).toEqual(expected.sort());
      index.close();
    }),
  );
});

it("SRCH-3 a look at a path names all that is or was there and below, and nothing beside it", async () => {
  const at = fc.oneof(path, fc.constantFrom("a", "a/b", "z", "none", ""));
  await fc.assert(
    fc.asyncProperty(documents, documents, fc.array(at, { maxLength: 3 }), async (known, present, paths) => {
      const index = indexOf(known);
      const isBelow = (one: string) =>
        paths.some((folder) => folder === "" || one === folder || one.startsWith(`${folder}/`));
      const expected = [...new Set([...known.keys(), ...present.keys()])]
        .filter(isBelow)
        .map((one) => [one, known.get(one)]);
      const found = await findChangesAt(paths, sourceOf(present) as Source, index);
      expect([...found].sort()).toEqual(expected.sort());
      index.close();
    }),
  );
});

it("SRCH-3 a look at a folder finds what is below it past any number of names that come in between", async () => {
  const between = Array.from({ length: 30 }, (_, number) => [`a-${number}.md`, 1] as const);
  const index = indexOf(new Map([...between, ["a/below.md", 2]]));
  const found = await findChangesAt(["a"], sourceOf(new Map()) as Source, index);
  expect([...found]).toEqual([["a/below.md", 2]]);
  index.close();
});
