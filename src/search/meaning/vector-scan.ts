import type { QuantisedRows } from "./quantise.ts";
import { createScanKernel, queryLimit, rowWidth, type ScanKernel } from "./scan-kernel.ts";
import { createTopList, type TopList } from "./top-list.ts";

/** A unit of the index: its chunk, and its number there. */
export interface UnitPlace {
  readonly chunk: number;
  readonly unit: number;
}

interface ScoredUnit extends UnitPlace {
  readonly score: number;
}

interface TopOptions {
  readonly count: number;
  /** Units to leave out, deleted or filtered: bit `unit & 7` of byte `unit >> 3`. */
  readonly skipped?: (chunk: number) => Uint8Array | undefined;
  /** Which of two equally scored units comes first; by chunk and number unless told. */
  readonly isBefore?: (left: UnitPlace, right: UnitPlace) => boolean;
}

/** The vectors of an index in memory, and the exact search in them. */
export interface VectorScan {
  readonly dims: number;
  /** Adds units to the end of a chunk. Throws a RangeError where there is no memory left, and adds nothing. */
  append(chunk: number, rows: QuantisedRows): void;
  /** Forgets a chunk; what comes next takes its place in memory. */
  drop(chunk: number): void;
  clear(): void;
  /** How many units of a chunk are here. */
  unitCount(chunk: number): number;
  /** Best first. Units without meaning (scale 0) are in no answer. */
  top(query: Float32Array, options: TopOptions): ScoredUnit[];
  /** All scores of a chunk, in the order of its units. */
  scores(query: Float32Array, chunk: number): Float32Array;
  /** Of all rows, their scales, and what is kept free. */
  memoryBytes(): number;
}

/**
 * Rows lie in slabs of 256, each belonging to one chunk. One call of the kernel takes one slab, and its scores stay
 * in the processor's nearest cache until the best are picked. A free slab serves any chunk, so writing chunks anew for
 * years needs no more memory than the units do: 132 bytes each for 128 dimensions, and half a slab (17 KB) a chunk.
 */
const slabRows = 256;

interface Chunk {
  readonly slabs: number[];
  count: number;
}

export function createVectorScan(dims: number, kernel: ScanKernel = createScanKernel(dims)): VectorScan {
  const width = rowWidth(dims);
  const queryAt = 0;
  const outAt = queryAt + 2 * width;
  const slabsAt = outAt + 4 * slabRows;
  const slabBytes = slabRows * (width + 4);
  const chunks = new Map<number, Chunk>();
  const free: number[] = [];
  let slabCount = 0;
  kernel.grow(slabsAt);

  function takeSlab(): number {
    const known = free.pop();
    if (known !== undefined) return known;
    const needed = slabsAt + (slabCount + 1) * slabBytes;
    if (needed > kernel.buffer().byteLength) growTo(needed);
    return slabCount++;
  }

  /** An eighth more than asked for: with each growth all views must be made anew, and the plain kernel copies. */
  function growTo(needed: number): void {
    try {
      kernel.grow(needed + (needed >>> 3));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      kernel.grow(needed);
    }
  }

  const rowsOf = (slab: number) => slabsAt + slab * slabBytes;
  const scalesOf = (slab: number) => rowsOf(slab) + slabRows * width;

  function append(chunk: number, { rows, scales }: QuantisedRows): void {
    if (rows.length !== scales.length * dims) throw new RangeError("Rows and scales do not belong together.");
    const known = chunks.get(chunk) ?? { slabs: [], count: 0 };
    const slabs = [...known.slabs];
    const total = known.count + scales.length;
    try {
      while (slabs.length * slabRows < total) slabs.push(takeSlab());
    } catch (error) {
      free.push(...slabs.slice(known.slabs.length));
      throw error;
    }
    for (let from = 0; from < scales.length; ) {
      const unit = known.count + from;
      const slab = slabs[Math.floor(unit / slabRows)] as number;
      const many = Math.min(slabRows - (unit % slabRows), scales.length - from);
      fillSlab(
        slab,
        unit % slabRows,
        rows.subarray(from * dims, (from + many) * dims),
        scales.subarray(from, from + many),
      );
      from += many;
    }
    chunks.set(chunk, { slabs, count: total });
  }

  function fillSlab(slab: number, first: number, rows: Int8Array, scales: Float32Array): void {
    const buffer = kernel.buffer();
    new Float32Array(buffer, scalesOf(slab), slabRows).set(scales, first);
    const target = new Int8Array(buffer, rowsOf(slab), slabRows * width);
    if (width === dims) {
      target.set(rows, first * width);
      return;
    }
    for (let row = 0; row < scales.length; row++) {
      const start = (first + row) * width;
      target.set(rows.subarray(row * dims, (row + 1) * dims), start);
      target.fill(0, start + dims, start + width);
    }
  }

  /** Puts the query where the kernel reads it, and gives its scale; 0 where it has no direction. */
  function placeQuery(query: Float32Array): number {
    if (query.length !== dims)
      throw new RangeError(`A query of ${query.length} dimensions cannot be compared with ${dims}.`);
    let greatest = 0;
    for (const value of query) greatest = Math.max(greatest, Math.abs(value));
    if (greatest === 0 || !Number.isFinite(greatest)) return 0;
    const scale = greatest / queryLimit(dims);
    const target = new Int16Array(kernel.buffer(), queryAt, width);
    for (let at = 0; at < dims; at++) target[at] = Math.round((query[at] as number) / scale);
    return scale;
  }

  /** Scores one slab after the other into the same place; `visit` gets the greatest score of each. */
  function scoreSlabs({ slabs, count }: Chunk, factor: number, visit: (slab: Slab) => void): void {
    const floats = new Float32Array(kernel.buffer());
    for (const [index, slab] of slabs.entries()) {
      const first = index * slabRows;
      const many = Math.min(slabRows, count - first);
      const places = { rows: rowsOf(slab), scales: scalesOf(slab), query: queryAt, out: outAt };
      const greatest = kernel.score(places, many, factor);
      visit({ first, count: many, greatest, floats, scoresAt: outAt / 4, scalesAt: places.scales / 4 });
    }
  }

  function top(query: Float32Array, options: TopOptions): ScoredUnit[] {
    const factor = placeQuery(query);
    if (factor === 0) return [];
    const best = createTopList<UnitPlace>(options.count, options.isBefore ?? byChunk);
    for (const [number, chunk] of chunks) {
      const skipped = options.skipped?.(number);
      scoreSlabs(chunk, factor, (slab) => {
        if (!(slab.greatest < best.least())) pickBest(slab, best, number, skipped);
      });
    }
    return best.sorted().map(({ score, item }) => ({ ...item, score }));
  }

  function scores(query: Float32Array, chunk: number): Float32Array {
    const known = chunks.get(chunk);
    const all = new Float32Array(known?.count ?? 0);
    const factor = placeQuery(query);
    if (known === undefined || factor === 0) return all;
    scoreSlabs(known, factor, ({ first, count, floats, scoresAt }) => {
      all.set(floats.subarray(scoresAt, scoresAt + count), first);
    });
    return all;
  }

  return {
    dims,
    append,
    drop: (chunk) => {
      free.push(...(chunks.get(chunk)?.slabs ?? []));
      chunks.delete(chunk);
    },
    clear: () => {
      chunks.clear();
      free.length = 0;
      slabCount = 0;
    },
    unitCount: (chunk) => chunks.get(chunk)?.count ?? 0,
    top,
    scores,
    memoryBytes: () => kernel.buffer().byteLength,
  };
}

interface Slab {
  readonly first: number;
  readonly count: number;
  readonly greatest: number;
  /** The whole memory. */
  readonly floats: Float32Array;
  readonly scoresAt: number;
  readonly scalesAt: number;
}

function pickBest(
  { first, count, floats, scoresAt, scalesAt }: Slab,
  best: TopList<UnitPlace>,
  chunk: number,
  skipped: Uint8Array | undefined,
): void {
  let least = best.least();
  for (let row = 0; row < count; row++) {
    const score = floats[scoresAt + row] as number;
    // Also where a damaged scale has made it NaN.
    if (!(score >= least) || floats[scalesAt + row] === 0) continue;
    const unit = first + row;
    if (skipped !== undefined && ((skipped[unit >> 3] ?? 0) & (1 << (unit & 7))) !== 0) continue;
    best.offer(score, { chunk, unit });
    least = best.least();
  }
}

function byChunk(left: UnitPlace, right: UnitPlace): boolean {
  return left.chunk < right.chunk || (left.chunk === right.chunk && left.unit < right.unit);
}
