import type { Hit, Search, SearchPage } from "../../src/app.ts";

export const sampleHit: Hit = {
  root: "memory",
  kind: "topic",
  path: "build/cache.md",
  title: "Stale cache",
  breadcrumb: ["cache"],
  date: "2026-05-01",
  lines: { from: 3, to: 9 },
  score: 0.75,
  snippet: { text: "…the cache is stale", marks: [{ from: 5, to: 10 }] },
  flagged: false,
};

/** A search that answers what a test says, and keeps what it was asked: for surfaces, which only show it. */
export function fakeSearch(page: Partial<SearchPage> & { readonly recalled?: string }) {
  const asked: unknown[] = [];
  const { recalled = "", ...found } = page;
  const search: Search = {
    search: async (request, onProgress) => {
      asked.push(request);
      onProgress?.({ root: "memory", done: 5, total: 10 });
      return { hits: [], total: 0, warnings: [], ...found };
    },
    recall: async (request, onProgress) => {
      asked.push(request);
      onProgress?.({ root: "memory", done: 5, total: 10 });
      const { root, kind, path, title, date, lines } = sampleHit;
      const items = recalled === "" ? [] : [{ root, kind, path, title, date, lines, trimmed: false }];
      return { text: recalled, tokens: recalled.length, items, warnings: found.warnings ?? [] };
    },
    reindex: async (onProgress) => {
      onProgress?.({ root: "memory", done: 5, total: 10 });
      return { documents: 2, units: 7, warnings: [] };
    },
    status: async () => ({ documents: 2, units: 7, warnings: [], meaning: "table", withMeaning: 7 }),
    updated: async () => {},
  };
  return { asked, search };
}
