import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Source } from "../../src/kernel/source.ts";
import { createSearch } from "../../src/search/create-search.ts";
import { openIndexFile, openMemoryIndex } from "../../src/search/index/open-index.ts";
import { noMeaning } from "../../src/search/meaning.ts";
import type { Describe } from "../../src/search/prepare-batches.ts";
import { createRootIndex, type RootIndex } from "../../src/search/root-index.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { shownAs } from "./index/index-fixture.ts";

const folders = temporaryFolders();
const documents = ["a.md", "b.md", "c.md"];

const describeDocument: Describe = (path, { content, stamp, modified }) => ({
  path,
  folder: "",
  kind: "memory",
  stamp,
  modified,
  flagged: false,
  units: [{ date: undefined, terms: new Map([["zebra", 100]]) }],
  shown: [shownAs(content)],
});

/** A root of three notes whose index lies in a file. */
function openRoot(root: string, file: string): RootIndex {
  const source: Source = {
    root,
    identity: root,
    survey: () => [{ folder: "", documents: documents.map((path) => ({ path: `${root}-${path}`, stamp: 1 })) }],
    changes: async () => undefined,
    watch: async () => ({ kind: "unwatched", reason: "" }),
    read: async (path) => ({ content: `A zebra in ${path}.`, stamp: 1, modified: 1_700_000_000_000 }),
    close: () => {},
  };
  const index = createRootIndex({
    source,
    kind: "memory",
    openIndex: () => openIndexFile({ file, version: "1" }),
    openMemoryIndex: () => openMemoryIndex(),
    discardIndex: () => rmSync(file, { force: true }),
    describer: async () => describeDocument,
    watches: false,
    now: Date.now,
  });
  onTestFinished(() => index.close());
  return index;
}

/** Searches in roots whose indexes another process begins anew, each time between the survey and the query. */
function openSearch(names: readonly string[], mostLosses = Number.POSITIVE_INFINITY) {
  const folder = folders.make();
  let losses = 0;
  const roots = names.map((name): RootIndex => {
    const file = join(folder, name);
    const root = openRoot(name, file);
    const freshen: RootIndex["freshen"] = async (...asked) => {
      const state = await root.freshen(...asked);
      losses += 1;
      if (losses <= mostLosses * names.length) rmSync(file, { force: true });
      return state;
    };
    return { ...root, freshen };
  });
  return createSearch({
    roots,
    meaning: noMeaning,
    weights: { recency: 0, recencyHalfLifeDays: 60, context: 0 },
    now: Date.now,
    toDate: () => "2026-01-01",
    patienceMs: Number.POSITIVE_INFINITY,
  });
}

describe("an index that is begun anew between the survey and the query", () => {
  it.each([1, 2, 3, 6])(
    "SRCH-3 is searched again, and the answer is whole, with %i roots that never rest",
    async (count) => {
      const search = openSearch(Array.from({ length: count }, (_, at) => `root${at}`));
      const page = await search.search({ query: "zebra" });
      expect(page.total).toBe(3 * count);
      expect(page.warnings.join()).toContain("is kept in memory for now");
      expect((await search.search({ query: "zebra" })).total).toBe(3 * count);
      expect(await search.status()).toMatchObject({ documents: 3 * count, units: 3 * count });
      expect((await search.recall({ query: "zebra" })).items.length).toBeGreaterThan(0);
    },
  );

  it("SRCH-3 is searched again without a word where it rests after a few losses", async () => {
    const search = openSearch(["one", "other"], 3);
    expect(await search.search({ query: "zebra" })).toMatchObject({ total: 6, warnings: [] });
  });

  it("SRCH-3 is counted as a whole after it was rebuilt", async () => {
    const search = openSearch(["one", "other"]);
    expect(await search.reindex()).toMatchObject({ documents: 6, units: 6 });
  });
});
