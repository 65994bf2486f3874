import type { IndexedDocument } from "../../../src/search/index/index-change.ts";
import { type IndexFileOptions, openIndexFile } from "../../../src/search/index/open-index.ts";
import type { SearchIndex } from "../../../src/search/index/search-index.ts";

export function openFile(file: string, options: Partial<IndexFileOptions> = {}): SearchIndex {
  const opened = openIndexFile({ file, version: "test", ...options });
  if (opened.kind !== "open") throw new Error(opened.reason);
  return opened.index;
}

export function plainIdf(units: number, all: number): number {
  return Math.log(1 + (all - units + 0.5) / (units + 0.5));
}

/** A document with a unit for each text; a word's impact is ten times how often it comes. */
export function documentOf(
  path: string,
  texts: readonly string[],
  more: Partial<IndexedDocument> = {},
): IndexedDocument {
  return {
    path,
    folder: path.slice(0, Math.max(0, path.lastIndexOf("/"))),
    stamp: 1,
    modified: Date.UTC(2025, 0, 15, 12),
    kind: "memory",
    flagged: false,
    units: texts.map((text) => {
      const terms = new Map<string, number>();
      for (const word of text.split(" ")) terms.set(word, (terms.get(word) ?? 0) + 10);
      return { date: undefined, terms, text };
    }),
    ...more,
  };
}
