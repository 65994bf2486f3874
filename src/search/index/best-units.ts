import type { SearchedSegment } from "./score-segment.ts";
import type { TopUnit } from "./top-units.ts";

/**
 * Best first; equal ones by index, path and place in the document. Each segment's units are in the order of their
 * paths already, so that paths are read only where the next ones of two segments score the same.
 */
export function bestUnits(
  units: readonly TopUnit[],
  segments: readonly SearchedSegment[],
  limit: number,
): readonly TopUnit[] {
  const runs = runsBySegment(units);
  const paths = new Map<TopUnit, string>();

  function pathOf(unit: TopUnit): string {
    const known = paths.get(unit);
    if (known !== undefined) return known;
    const table = (segments[unit.segment] as SearchedSegment).reader.documents();
    const path = table.path(table.documentOf(unit.unit));
    paths.set(unit, path);
    return path;
  }

  function comesBefore(left: TopUnit, right: TopUnit): boolean {
    if (left.score !== right.score) return left.score > right.score;
    const leftIndex = segments[left.segment]?.index ?? 0;
    const rightIndex = segments[right.segment]?.index ?? 0;
    return leftIndex === rightIndex ? pathOf(left) < pathOf(right) : leftIndex < rightIndex;
  }

  const best: TopUnit[] = [];
  while (best.length < limit) {
    let first: TopUnit[] | undefined;
    for (const run of runs) {
      if (run.length > 0 && (!first || comesBefore(run.at(-1) as TopUnit, first.at(-1) as TopUnit))) first = run;
    }
    const next = first?.pop();
    if (!next) break;
    best.push(next);
  }
  return best;
}

/** The best of each at its end. */
function runsBySegment(units: readonly TopUnit[]): TopUnit[][] {
  const runs = new Map<number, TopUnit[]>();
  for (const unit of units) {
    const run = runs.get(unit.segment);
    if (run) run.push(unit);
    else runs.set(unit.segment, [unit]);
  }
  for (const run of runs.values()) run.sort((left, right) => left.score - right.score || right.unit - left.unit);
  return [...runs.values()];
}
