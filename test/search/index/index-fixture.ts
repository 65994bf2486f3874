import type { IndexedDocument } from "../../../src/search/index/index-change.ts";
import { type IndexFileOptions, openIndexFile } from "../../../src/search/index/open-index.ts";
import {
  createQueryEngine,
  type EngineReader,
  type TermQuery,
  type UnitHit,
} from "../../../src/search/index/query-engine.ts";
import type { SearchIndex } from "../../../src/search/index/search-index.ts";
import type { UnitFilter } from "../../../src/search/index/unit-filter.ts";
import type { ShownUnit } from "../../../src/search/shown-units.ts";

export function openFile(file: string, options: Partial<IndexFileOptions> = {}): SearchIndex {
  const opened = openIndexFile({ file, version: "test", ...options });
  if (opened.kind !== "open") throw new Error(opened.reason);
  return opened.index;
}

export function plainIdf(units: number, all: number): number {
  return Math.log(1 + (all - units + 0.5) / (units + 0.5));
}

/** Answers with what is shown of each hit, in place of where it is kept. */
export function engineOf(...indexes: readonly SearchIndex[]) {
  const engine = createQueryEngine(indexes, { idf: plainIdf });
  const shownBy = (reader: EngineReader) => (hit: UnitHit) => {
    const { index, path, ordinal, score, date, modified, kind, flagged, terms } = hit;
    const told = terms === undefined ? {} : { terms };
    return { index, path, ordinal, score, date, modified, kind, flagged, ...told, shown: reader.shown([hit])[0] };
  };
  return {
    match: (query: TermQuery, limit: number) =>
      engine.reading((reader) => {
        const matches = reader.match(query, limit);
        return { ...matches, hits: matches.hits.map(shownBy(reader)) };
      }),
    nearest: (vector: Float32Array, limit: number, filter?: UnitFilter) =>
      engine.reading((reader) => reader.nearest(vector, limit, filter).map(shownBy(reader))),
  };
}

export function shownAs(text: string): ShownUnit {
  return { title: "", breadcrumb: [], lines: { from: 1, to: 1 }, text };
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
    shown: texts.map(shownAs),
    ...more,
  };
}
