import type { SearchedSegment } from "./score-segment.ts";
import type { TopUnit } from "./top-units.ts";

/**
 * Best first; equal ones by index, path and place in the document. Within a segment units are in that order already, so
 * that paths are read only where units of two segments score the same.
 */
export function bestUnits(
  units: readonly TopUnit[],
  segments: readonly SearchedSegment[],
  limit: number,
): readonly TopUnit[] {
  const paths = new Map<TopUnit, string>();

  function pathOf(unit: TopUnit): string {
    const known = paths.get(unit);
    if (known !== undefined) return known;
    const table = (segments[unit.segment] as SearchedSegment).reader.documents();
    const path = table.path(table.documentOf(unit.unit));
    paths.set(unit, path);
    return path;
  }

  function compare(left: TopUnit, right: TopUnit): number {
    if (left.score !== right.score) return right.score - left.score;
    if (left.segment === right.segment) return left.unit - right.unit;
    const [leftIndex, rightIndex] = [segments[left.segment]?.index ?? 0, segments[right.segment]?.index ?? 0];
    if (leftIndex !== rightIndex) return leftIndex - rightIndex;
    return pathOf(left) < pathOf(right) ? -1 : 1;
  }

  const [first] = units;
  const isOfOne = units.every(({ segment }) => segment === first?.segment);
  return units.toSorted(isOfOne ? byScore : compare).slice(0, limit);
}

function byScore(left: TopUnit, right: TopUnit): number {
  return right.score - left.score || left.unit - right.unit;
}
