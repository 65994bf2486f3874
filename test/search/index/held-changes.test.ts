import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { IndexedDocument } from "../../../src/search/index/index-change.ts";
import { IndexFailure } from "../../../src/search/index/index-failure.ts";
import type { SearchIndex } from "../../../src/search/index/search-index.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { documentOf, engineOf, openFile } from "./index-fixture.ts";

const folders = temporaryFolders();

function two(): { file: string; one: SearchIndex; other: SearchIndex } {
  const file = join(folders.make(), "index");
  return { file, one: openFile(file), other: openFile(file) };
}

function pathsWith(index: SearchIndex, term: string): string[] {
  const { hits } = engineOf(index).match({ terms: [{ term, weight: 1, word: term }] }, 10);
  return hits.map(({ path }) => path);
}

const change = (document: IndexedDocument, seen: number | undefined) => ({
  put: [document],
  remove: [],
  seen: new Map([[document.path, seen]]),
});

describe("changes that an index holds in memory", () => {
  it("SRCH-3 are found at once by who holds them, and by others once they are written", () => {
    const { one, other } = two();
    expect(one.hold(change(documentOf("a.md", ["kafka queue"]), undefined))).toBe(true);
    expect(pathsWith(one, "kafka")).toEqual(["a.md"]);
    expect(pathsWith(other, "kafka")).toEqual([]);
    one.flush();
    expect(one.takeFlushed()).toEqual({ conflicts: [], added: new Map([["a.md", 1]]) });
    expect(pathsWith(other, "kafka")).toEqual(["a.md"]);
    one.flush();
    expect(one.takeFlushed()).toEqual({ conflicts: [], added: new Map() });
  });

  it("SRCH-3 are given up where another process was faster, and named so that they are looked at again", () => {
    const { one, other } = two();
    one.hold(change(documentOf("a.md", ["kafka"]), undefined));
    one.hold(change(documentOf("b.md", ["kafka"]), undefined));
    other.apply(change(documentOf("a.md", ["retry"], { stamp: 7 }), undefined));
    expect(() => pathsWith(one, "kafka")).toThrow(expect.objectContaining({ kind: "overtaken" }));
    expect(() => one.beginReading()).toThrow(IndexFailure);
    one.flush();
    expect(one.takeFlushed()).toEqual({ conflicts: ["a.md"], added: new Map([["b.md", 1]]) });
    for (const index of [one, other]) {
      expect(pathsWith(index, "kafka")).toEqual(["b.md"]);
      expect(pathsWith(index, "retry")).toEqual(["a.md"]);
    }
  });

  it("SRCH-3 stay found while others write, merge and take out other documents", () => {
    const { one, other } = two();
    other.apply({ put: [documentOf("old.md", ["kafka old"]), documentOf("z.md", ["kafka"])], remove: [] });
    one.hold(change(documentOf("old.md", ["kafka new"], { stamp: 2 }), 1));
    expect(pathsWith(one, "new")).toEqual(["old.md"]);
    other.apply({ put: [documentOf("y.md", ["kafka"])], remove: ["z.md"] });
    other.compact();
    expect(pathsWith(one, "kafka").toSorted()).toEqual(["old.md", "y.md"]);
    expect(pathsWith(one, "old")).toEqual([]);
    expect(one.counts()).toMatchObject({ documents: 2, units: 2 });
  });

  it("SRCH-3 that were lost with their process are not known to the next, which looks at them again", () => {
    const { file, one } = two();
    one.hold(change(documentOf("a.md", ["kafka"]), undefined));
    one.close();
    expect(openFile(file).stampOf("a.md")).toBeUndefined();
  });

  it("are written instead where they are many, or where nobody says what the index had before", () => {
    const { one } = two();
    const many = Array.from({ length: 40 }, (_, number) => documentOf(`${number}.md`, ["kafka"]));
    expect(one.hold({ put: many, remove: [], seen: new Map(many.map(({ path }) => [path, undefined])) })).toBe(false);
    expect(one.hold({ put: many.slice(0, 1), remove: [] })).toBe(false);
    expect(one.counts()).toMatchObject({ documents: 0 });
  });
});
