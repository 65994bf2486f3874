import type { SearchedChunk } from "./score-chunk.ts";
import type { TopUnit } from "./top-units.ts";

/** Best first, as they are already; equal ones by index, path and place in the document. */
export function bestUnits(
  units: readonly TopUnit[],
  chunks: readonly SearchedChunk[],
  limit: number,
): readonly TopUnit[] {
  const ordered: TopUnit[] = [];
  for (let from = 0; from < units.length && ordered.length < limit; ) {
    const { score } = units[from] as TopUnit;
    let to = from + 1;
    while (to < units.length && units[to]?.score === score) to++;
    if (to === from + 1) ordered.push(units[from] as TopUnit);
    else for (const unit of inPlace(units.slice(from, to), chunks)) ordered.push(unit);
    from = to;
  }
  return ordered.length > limit ? ordered.slice(0, limit) : ordered;
}

/** Within a chunk units are in that order already, so that paths are read only where they are of several. */
function inPlace(units: TopUnit[], chunks: readonly SearchedChunk[]): TopUnit[] {
  const paths = new Map<TopUnit, string>();

  function pathOf(unit: TopUnit): string {
    const known = paths.get(unit);
    if (known !== undefined) return known;
    const table = (chunks[unit.chunk] as SearchedChunk).reader.documents();
    const path = table.path(table.documentOf(unit.unit));
    paths.set(unit, path);
    return path;
  }

  function compare(left: TopUnit, right: TopUnit): number {
    if (left.chunk === right.chunk) return left.unit - right.unit;
    const [leftIndex, rightIndex] = [chunks[left.chunk]?.index ?? 0, chunks[right.chunk]?.index ?? 0];
    if (leftIndex !== rightIndex) return leftIndex - rightIndex;
    return pathOf(left) < pathOf(right) ? -1 : 1;
  }

  return units.sort(compare);
}
