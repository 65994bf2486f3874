import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { digestOf } from "../../../src/kernel/folder-digest.ts";
import { openMemoryIndex } from "../../../src/search/index/open-index.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { documentOf, openFile } from "./index-fixture.ts";

const folders = temporaryFolders();

describe("an index", () => {
  test("SRCH-3 tells by one number whether a folder's documents are as they were", () => {
    const index = openMemoryIndex();
    index.apply({
      put: [documentOf("a/x.md", ["x"], { stamp: 7 }), documentOf("a/y.md", ["y"], { stamp: 8 })],
      remove: [],
    });
    const survey = [
      { path: "a/y.md", stamp: 8 },
      { path: "a/x.md", stamp: 7 },
    ];
    expect(index.folders()).toEqual(new Map([["a", digestOf(survey)]]));
    expect(
      digestOf([
        { path: "a/y.md", stamp: 7 },
        { path: "a/x.md", stamp: 8 },
      ]),
    ).not.toBe(digestOf(survey));
    expect(digestOf(survey.slice(1))).not.toBe(digestOf(survey));
    expect(index.documentsIn("a")).toEqual([...survey].reverse());
    index.apply({ put: [], remove: ["a/x.md", "a/y.md", "a/z.md"] });
    expect(index.folders()).toEqual(new Map());
  });

  test("SRCH-3 never takes a document for unchanged that must be looked at again", () => {
    const index = openMemoryIndex();
    index.apply({ put: [documentOf("x.md", ["x"], { stamp: 0 }), documentOf("y.md", ["y"])], remove: [] });
    expect(index.folders().get("")).toBeNaN();
    expect(digestOf([{ path: "x.md", stamp: 0 }])).toBeNaN();
    index.apply({ put: [documentOf("x.md", ["x"], { stamp: 3 })], remove: [] });
    expect(index.folders().get("")).toBe(
      digestOf([
        { path: "x.md", stamp: 3 },
        { path: "y.md", stamp: 1 },
      ]),
    );
  });

  test("SRCH-3 leaves a document alone that another process has indexed since it was read", () => {
    const file = join(folders.make(), "index");
    const [slow, fast] = [openFile(file), openFile(file)];
    slow.apply({ put: [documentOf("x.md", ["first"], { stamp: 1 })], remove: [] });
    const seen = new Map([
      ["x.md", slow.stampOf("x.md")],
      ["new.md", slow.stampOf("new.md")],
    ]);
    fast.apply({
      put: [documentOf("x.md", ["third"], { stamp: 3 }), documentOf("new.md", ["third"], { stamp: 3 })],
      remove: [],
      seen,
    });
    const late = {
      put: [documentOf("x.md", ["second"], { stamp: 2 }), documentOf("z.md", ["z"])],
      remove: ["new.md"],
      seen,
    };
    expect(slow.apply(late)).toEqual({ conflicts: ["x.md", "new.md"] });
    expect(slow.dump().map(({ path, stamp }) => [path, stamp])).toEqual([
      ["new.md", 3],
      ["x.md", 3],
      ["z.md", 1],
    ]);
    slow.close();
    fast.close();
  });

  test("SRCH-3 takes no impact that a byte cannot hold, which would count for a unit without the term", () => {
    const index = openMemoryIndex();
    index.apply({ put: [documentOf("x.md", ["x"])], remove: [] });
    for (const impact of [0, 256, Number.NaN]) {
      const units = [{ date: undefined, terms: new Map([["kafka", impact]]), text: "" }];
      expect(() => index.apply({ put: [documentOf("x.md", [], { units })], remove: [] })).toThrow("from 1 to 255");
    }
    expect(index.dump()).toMatchObject([{ path: "x.md", units: [{ terms: [["x", 10]] }] }]);
  });

  test("SRCH-3 keeps few chunks and a short tail through thousands of writes", () => {
    const index = openMemoryIndex();
    for (let write = 0; write < 3000; write++) {
      index.apply({ put: [documentOf(`n${(write * 7919) % 900}.md`, [`word${write % 50} common`])], remove: [] });
    }
    const { documents, chunks, tail } = index.counts();
    expect(documents).toBe(900);
    expect(chunks).toBeLessThan(4);
    expect(tail).toBeLessThan(130);
    while (index.maintain(100));
    expect(index.counts()).toMatchObject({ documents: 900, units: 900, chunks: 1 });
    expect(index.counts().tail).toBeLessThan(33);
  });

  test("SRCH-3 puts chunks together in the background while others write and read", () => {
    const file = join(folders.make(), "index");
    const [merger, writer] = [openFile(file), openFile(file)];
    for (let batch = 0; batch < 9; batch++) {
      const put = Array.from({ length: 600 }, (_, number) =>
        documentOf(`${batch}/${number}.md`, [`word${number} ${"abcdefghij"[batch]}${number} common`]),
      );
      writer.apply({ put, remove: [] });
    }
    const before = merger.counts().chunks;
    let writes = 0;
    while (merger.maintain(1)) {
      writer.apply({
        put: [documentOf(`0/${writes}.md`, ["changed common"], { stamp: 2 })],
        remove: [`1/${writes}.md`],
      });
      writes++;
    }
    expect(writes).toBeGreaterThan(0);
    expect(merger.counts().chunks).toBeLessThan(before);
    const dump = merger.dump();
    expect(dump).toHaveLength(9 * 600 - writes);
    expect(dump.filter(({ stamp }) => stamp === 2)).toHaveLength(writes);
    expect(dump.filter(({ units }) => units[0]?.terms.some(([term]) => term === "changed"))).toHaveLength(writes);
    merger.close();
    writer.close();
  });
});
