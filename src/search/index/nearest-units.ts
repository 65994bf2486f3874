import type { UnitPlace, VectorScan } from "../meaning/vector-scan.ts";
import type { ReadChunk } from "./chunk-reader.ts";
import type { IndexSnapshot } from "./index-snapshot.ts";
import type { SearchedChunk } from "./score-chunk.ts";
import type { TopUnit, TopUnits } from "./top-units.ts";
import { createUnitTest, type UnitFilter } from "./unit-filter.ts";

/** At least the nearest so many, nearest first. Those that have nothing in common with the query are left out. */
export function nearestUnits(
  vector: Float32Array,
  limit: number,
  filter: UnitFilter | undefined,
  snapshots: readonly IndexSnapshot[],
  chunks: readonly SearchedChunk[],
  top: TopUnits,
): readonly TopUnit[] {
  top.begin(limit);
  snapshots.forEach((snapshot, index) => {
    const scan = snapshot.vectors();
    if (scan?.dims !== vector.length) return;
    if (filter) offerAccepted(vector, scan, chunks, index, filter, top);
    else offerNearest(vector, scan, chunks, index, top);
  });
  return top.kept();
}

/** The scan picks the best itself, and passes over most rows without looking at their scores one by one. */
function offerNearest(
  vector: Float32Array,
  scan: VectorScan,
  chunks: readonly SearchedChunk[],
  index: number,
  top: TopUnits,
): void {
  const places = new Map(
    chunks.flatMap(({ index: own, reader }, place) => (own === index ? [[reader.id, place]] : [])),
  );
  const readerOf = (id: number) => chunks[places.get(id) ?? -1]?.reader;
  const best = scan.top(vector, {
    count: top.limit(),
    skipped: (id) => hiddenBits(readerOf(id)),
    isBefore: (left, right) =>
      left.chunk === right.chunk
        ? left.unit < right.unit
        : pathOf(readerOf(left.chunk), left) < pathOf(readerOf(right.chunk), right),
  });
  for (const { chunk, unit, score } of best) {
    const place = places.get(chunk);
    if (place !== undefined && score > 0) top.offer(place, unit, score);
  }
}

function hiddenBits(reader: ReadChunk | undefined): Uint8Array | undefined {
  if (!reader || reader.hiddenUnits.length === 0) return undefined;
  const bits = new Uint8Array((reader.units + 7) >> 3);
  for (const unit of reader.hiddenUnits) bits[unit >> 3] = (bits[unit >> 3] as number) | (1 << (unit & 7));
  return bits;
}

function pathOf(reader: ReadChunk | undefined, { unit }: UnitPlace): string {
  const table = reader?.documents();
  return table ? table.path(table.documentOf(unit)) : "";
}

/** Asks the filter only about units that are near enough. */
function offerAccepted(
  vector: Float32Array,
  scan: VectorScan,
  chunks: readonly SearchedChunk[],
  index: number,
  filter: UnitFilter,
  top: TopUnits,
): void {
  chunks.forEach(({ index: own, reader }, place) => {
    if (own !== index || reader.dimensions === 0) return;
    const scores = scan.scores(vector, reader.id);
    for (const unit of reader.hiddenUnits) scores[unit] = 0;
    const isAccepted = createUnitTest(filter, reader, index);
    let least = top.least();
    for (let unit = 0; unit < scores.length; unit++) {
      const score = scores[unit] as number;
      if (score >= least && (!isAccepted || isAccepted(unit))) least = top.offer(place, unit, score);
    }
  });
}
