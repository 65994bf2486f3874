import type { IndexSnapshot } from "./index-snapshot.ts";
import type { SearchedSegment } from "./score-segment.ts";
import { createTopUnits, type TopUnit } from "./top-units.ts";
import { createUnitTest, type UnitFilter } from "./unit-filter.ts";

/** At least the nearest so many, in no order. */
export function nearestUnits(
  vector: Float32Array,
  limit: number,
  filter: UnitFilter | undefined,
  snapshots: readonly IndexSnapshot[],
  segments: readonly SearchedSegment[],
): readonly TopUnit[] {
  const top = createTopUnits(limit);
  const scans = snapshots.map((snapshot) => snapshot.vectors());
  segments.forEach(({ index, reader }, place) => {
    const scan = scans[index];
    if (reader.dimensions === 0 || scan?.dims !== vector.length) return;
    const scores = scan.scores(vector, reader.id);
    for (const unit of reader.deadUnits) scores[unit] = 0;
    const isAccepted = createUnitTest(filter, reader, index);
    let least = top.least();
    for (let unit = 0; unit < scores.length; unit++) {
      const score = scores[unit] as number;
      if (score >= least && (!isAccepted || isAccepted(unit))) {
        least = top.offer(place, unit, score);
      }
    }
  });
  return top.kept();
}
