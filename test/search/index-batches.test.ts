import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { IndexedDocument } from "../../src/search/index/index-change.ts";
import { type IndexBatch, indexBatches, type OutdatedDocument } from "../../src/search/index-batches.ts";
import { shownAs } from "./index/index-fixture.ts";

function documentOf(path: string, terms: ReadonlyMap<string, number> = new Map()): IndexedDocument {
  const units = [{ date: undefined, terms }];
  return { path, folder: "", stamp: 1, modified: 0, kind: "memory", flagged: false, units, shown: [shownAs(path)] };
}

async function batchesOf(
  outdated: ReadonlyMap<string, number | undefined>,
  read: (path: string) => IndexedDocument | undefined,
  tickMs = 0,
): Promise<IndexBatch[]> {
  let now = 0;
  const batches: IndexBatch[] = [];
  const clock = () => {
    now += tickMs;
    return now;
  };
  async function* documents(): AsyncGenerator<OutdatedDocument> {
    for (const [path, seen] of outdated) yield { path, seen, document: read(path) };
  }
  for await (const batch of indexBatches(documents(), clock)) batches.push(batch);
  return batches;
}

describe("batches", () => {
  it("SRCH-3 have each outdated document once: to put, to remove, or of no interest", async () => {
    const entries = fc.uniqueArray(fc.tuple(fc.string(), fc.option(fc.nat(), { nil: undefined }), fc.boolean()), {
      selector: ([path]) => path,
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(entries, fc.nat({ max: 90 }), async (all, tickMs) => {
        const there = new Set(all.filter(([, , isThere]) => isThere).map(([path]) => path));
        const outdated = new Map(all.map(([path, stamp]) => [path, stamp]));
        const batches = await batchesOf(outdated, (path) => (there.has(path) ? documentOf(path) : undefined), tickMs);
        expect(batches.flatMap(({ seen }) => [...seen])).toEqual([...outdated]);
        expect(batches.flatMap(({ put }) => put.map(({ path }) => path))).toEqual(
          [...outdated.keys()].filter((path) => there.has(path)),
        );
        const gone = all.filter(([, stamp, isThere]) => !isThere && stamp !== undefined).map(([path]) => path);
        expect(batches.flatMap(({ remove }) => remove)).toEqual(gone);
        expect(batches.every(({ seen }) => seen.size > 0)).toBe(true);
      }),
    );
  });

  const notes = (count: number) => new Map(Array.from({ length: count }, (_, at) => [`n${at}`, undefined]));

  it("SRCH-3 are held in memory in part, however long documents are", async () => {
    const terms = new Map(Array.from({ length: 2 ** 18 }, (_, at) => [`t${at}`, 1]));
    const batches = await batchesOf(notes(40), (path) => documentOf(path, terms));
    expect(batches.map(({ put }) => put.length)).toEqual(Array.from({ length: 40 }, () => 1));
  });

  it("SRCH-3 are seen soon, and are the larger the longer it takes", async () => {
    const batches = await batchesOf(notes(2000), (path) => documentOf(path), 100);
    const sizes = batches.slice(0, -1).map(({ put }) => put.length);
    expect(sizes[0]).toBeLessThan(5);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(sizes.at(-1)).toBeGreaterThan(15);
    expect(sizes.at(-1)).toBeLessThan(45);
  });

  it("SRCH-3 a failing reader ends them with its failure", async () => {
    const failing = () => {
      throw new Error("no more files can be opened");
    };
    await expect(batchesOf(new Map([["a", undefined]]), failing)).rejects.toThrow("no more files");
  });
});
