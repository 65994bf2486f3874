import { type Embedder, isUnavailable } from "./meaning/embedder.ts";
import { createModelRows } from "./meaning/model-rows.ts";
import type { QuantisedRow, QuantisedRows } from "./meaning/quantise.ts";
import type { VectorCache } from "./meaning/vector-cache.ts";
import type { Meaning } from "./meaning.ts";

/** By a larger model, which takes its time: what it computed once is kept, the rest comes later. */
export function createModelMeaning({ embedder, cache }: { embedder: Embedder; cache: VectorCache }): Meaning {
  const rows = createModelRows({ embedder, cache });
  /** What the cache did not take, on a full disk, say: until it is asked for, or it would be computed for ever. */
  const untaken = new Map<string, QuantisedRow>();

  function keepUntaken(texts: readonly string[], { rows, scales }: QuantisedRows): void {
    const dims = rows.length / texts.length;
    for (const [at, row] of cache.get(embedder.name, texts).entries()) {
      const own = { row: rows.subarray(at * dims, (at + 1) * dims), scale: scales[at] ?? 0 };
      if (row === undefined) untaken.set(texts[at] as string, own);
    }
  }

  return {
    name: embedder.name,
    ofQuery: async (words) => {
      const vector = await embedder.embedQuery(words);
      return isUnavailable(vector) ? vector : { vector, unknownShare: 0 };
    },
    ofUnits: (texts) => {
      const known = cache.get(embedder.name, texts).map((row, at) => row ?? untaken.get(texts[at] as string));
      if (!texts.every((text, at) => known[at] !== undefined || text.trim() === "")) return "later";
      for (const text of texts) untaken.delete(text);
      return amongNeighbours(known.map(toVector));
    },
    compute: async (texts, signal) => {
      const computed = await rows.rowsOf(texts, signal);
      if (isUnavailable(computed)) return computed;
      keepUntaken(texts, computed);
      return undefined;
    },
    close: async () => {
      await embedder.close();
      cache.close();
    },
  };
}

function toVector(row: QuantisedRow | undefined): Float32Array {
  return row ? Float32Array.from(row.row, (value) => value * row.scale) : new Float32Array(0);
}

/** Tuned on talks, where more of the neighbours helps the table: a model makes more of a unit's own words. */
const neighbourShare = 0.15;

/** A unit's own vector, and some of that of the unit with its two neighbours. */
function amongNeighbours(vectors: readonly Float32Array[]): Float32Array[] {
  const dims = vectors.find((vector) => vector.length > 0)?.length ?? 0;
  return vectors.map((own, unit) => {
    const window = new Float32Array(dims);
    for (const vector of [vectors[unit - 1], own, vectors[unit + 1]]) {
      if (vector?.length === dims) for (let at = 0; at < dims; at++) window[at] = (window[at] ?? 0) + (vector[at] ?? 0);
    }
    const length = Math.hypot(...window);
    if (length === 0) return window;
    return window.map((value, at) => (1 - neighbourShare) * (own[at] ?? 0) + (neighbourShare * value) / length);
  });
}
