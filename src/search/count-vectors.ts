import type { SearchIndex } from "./index/search-index.ts";

/** How many units of an index have a vector. It reads them all: for people who ask, not for a search. */
export function countVectors(index: SearchIndex): number {
  const { chunks } = index.beginReading();
  try {
    return chunks.reduce((sum, chunk) => {
      const hidden = new Set(chunk.hiddenUnits);
      const scales = [...(chunk.vectors()?.scales ?? [])];
      return sum + scales.filter((scale, unit) => scale > 0 && !hidden.has(unit)).length;
    }, 0);
  } finally {
    index.endReading();
  }
}
