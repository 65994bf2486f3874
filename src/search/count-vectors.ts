import type { SearchIndex } from "./index/search-index.ts";

/** How many units of an index have a vector. It reads them all: for people who ask, not for a search. */
export function countVectors(index: SearchIndex): number {
  const { segments } = index.beginReading();
  try {
    return segments.reduce((sum, { vectors, deadUnits }) => {
      const dead = new Set(deadUnits);
      const scales = [...vectors()].flatMap((piece) => [...piece.scales]);
      return sum + scales.filter((scale, unit) => scale > 0 && !dead.has(unit)).length;
    }, 0);
  } finally {
    index.endReading();
  }
}
