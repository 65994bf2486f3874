import { type Embedder, isUnavailable, type Unavailable } from "./embedder.ts";
import { type QuantisedRow, type QuantisedRows, quantise } from "./quantise.ts";
import type { VectorCache } from "./vector-cache.ts";

/** A model as the index uses it: rows of bytes, each text computed once in a lifetime. */
export interface ModelRows {
  readonly embedder: Embedder;
  /** One row for each text, in their order; blank texts have scale 0. What was computed before a failure is kept. */
  rowsOf(texts: readonly string[], signal?: AbortSignal): Promise<QuantisedRows | Unavailable>;
}

export interface ModelRowsOptions {
  readonly embedder: Embedder;
  readonly cache: VectorCache;
  /** So many texts are lost at most when a process is killed. */
  readonly batchSize?: number;
}

export function createModelRows({ embedder, cache, batchSize = 16 }: ModelRowsOptions): ModelRows {
  async function compute(
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<Map<string, QuantisedRow> | Unavailable> {
    const rows = new Map<string, QuantisedRow>();
    for (let from = 0; from < texts.length; from += batchSize) {
      const batch = texts.slice(from, from + batchSize);
      const vectors = await embedder.embedTexts(batch, signal);
      if (isUnavailable(vectors)) return vectors;
      const made = batch.map((text, at) => ({ text, quantised: quantise(vectors[at] as Float32Array) }));
      cache.put(embedder.name, made);
      for (const { text, quantised } of made) rows.set(text, quantised);
    }
    return rows;
  }

  async function rowsOf(texts: readonly string[], signal?: AbortSignal): Promise<QuantisedRows | Unavailable> {
    const distinct = [...new Set(texts.filter((text) => text.trim() !== ""))];
    const known = new Map<string, QuantisedRow>();
    for (const [at, row] of cache.get(embedder.name, distinct).entries()) {
      if (row !== undefined) known.set(distinct[at] as string, row);
    }
    const missing = await compute(
      distinct.filter((text) => !known.has(text)),
      signal,
    );
    if (isUnavailable(missing)) return missing;
    // The model behind a name may have been replaced: what does not fit the newest rows is of the old one.
    const dims = embedder.dims ?? [...missing.values(), ...known.values()][0]?.row.length ?? 0;
    const stale = await compute(
      distinct.filter((text) => known.has(text) && known.get(text)?.row.length !== dims),
      signal,
    );
    if (isUnavailable(stale)) return stale;
    return inOrder(texts, new Map([...known, ...missing, ...stale]), dims);
  }

  return { embedder, rowsOf };
}

function inOrder(texts: readonly string[], known: ReadonlyMap<string, QuantisedRow>, dims: number): QuantisedRows {
  const rows = new Int8Array(texts.length * dims);
  const scales = new Float32Array(texts.length);
  for (const [at, text] of texts.entries()) {
    const found = known.get(text);
    if (found === undefined) continue;
    rows.set(found.row, at * dims);
    scales[at] = found.scale;
  }
  return { rows, scales };
}
