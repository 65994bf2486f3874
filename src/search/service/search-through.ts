import type { Search } from "../search.ts";

/** Asks one search after the other: each question goes to the one that it is given for it. */
export function searchThrough(use: <Answer>(ask: (search: Search) => Promise<Answer>) => Promise<Answer>): Search {
  return {
    search: (...asked) => use((search) => search.search(...asked)),
    recall: (...asked) => use((search) => search.recall(...asked)),
    reindex: (...asked) => use((search) => search.reindex(...asked)),
    status: (...asked) => use((search) => search.status(...asked)),
    updated: (...asked) => use((search) => search.updated(...asked)),
  };
}
