import type { UnitPlace, VectorScan } from "../meaning/vector-scan.ts";
import type { IndexSnapshot } from "./index-snapshot.ts";
import type { SearchedSegment } from "./score-segment.ts";
import type { ReadSegment } from "./segment-reader.ts";
import type { TopUnit, TopUnits } from "./top-units.ts";
import { createUnitTest, type UnitFilter } from "./unit-filter.ts";

/** At least the nearest so many, nearest first. Those that have nothing in common with the query are left out. */
export function nearestUnits(
  vector: Float32Array,
  limit: number,
  filter: UnitFilter | undefined,
  snapshots: readonly IndexSnapshot[],
  segments: readonly SearchedSegment[],
  top: TopUnits,
): readonly TopUnit[] {
  top.begin(limit);
  snapshots.forEach((snapshot, index) => {
    const scan = snapshot.vectors();
    if (scan?.dims !== vector.length) return;
    if (filter) offerAccepted(vector, scan, segments, index, filter, top);
    else offerNearest(vector, scan, segments, index, top);
  });
  return top.kept();
}

/** The scan picks the best itself, and passes over most rows without looking at their scores one by one. */
function offerNearest(
  vector: Float32Array,
  scan: VectorScan,
  segments: readonly SearchedSegment[],
  index: number,
  top: TopUnits,
): void {
  const places = new Map(
    segments.flatMap(({ index: own, reader }, place) => (own === index ? [[reader.id, place]] : [])),
  );
  const readerOf = (id: number) => segments[places.get(id) ?? -1]?.reader;
  const best = scan.top(vector, {
    count: top.limit(),
    skipped: (id) => deadBits(readerOf(id)),
    isBefore: (left, right) =>
      left.segment === right.segment
        ? left.unit < right.unit
        : pathOf(readerOf(left.segment), left) < pathOf(readerOf(right.segment), right),
  });
  for (const { segment, unit, score } of best) {
    const place = places.get(segment);
    if (place !== undefined && score > 0) top.offer(place, unit, score);
  }
}

function deadBits(reader: ReadSegment | undefined): Uint8Array | undefined {
  if (!reader || reader.deadUnits.length === 0) return undefined;
  const bits = new Uint8Array((reader.units + 7) >> 3);
  for (const unit of reader.deadUnits) bits[unit >> 3] = (bits[unit >> 3] as number) | (1 << (unit & 7));
  return bits;
}

function pathOf(reader: ReadSegment | undefined, { unit }: UnitPlace): string {
  const table = reader?.documents();
  return table ? table.path(table.documentOf(unit)) : "";
}

/** Asks the filter only about units that are near enough. */
function offerAccepted(
  vector: Float32Array,
  scan: VectorScan,
  segments: readonly SearchedSegment[],
  index: number,
  filter: UnitFilter,
  top: TopUnits,
): void {
  segments.forEach(({ index: own, reader }, place) => {
    if (own !== index || reader.dimensions === 0) return;
    const scores = scan.scores(vector, reader.id);
    for (const unit of reader.deadUnits) scores[unit] = 0;
    const isAccepted = createUnitTest(filter, reader, index);
    let least = top.least();
    for (let unit = 0; unit < scores.length; unit++) {
      const score = scores[unit] as number;
      if (score >= least && (!isAccepted || isAccepted(unit))) least = top.offer(place, unit, score);
    }
  });
}
