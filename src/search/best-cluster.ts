export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Matches within so many characters belong together. */
export const clusterChars = 160;

/** Where most of what matches stands together. What is before `body` is a title, and counts only alone. */
export function bestCluster(text: string, matches: readonly Range[], body: number): Range | undefined {
  const all = ascending(matches, text.length);
  const start = all.findIndex(({ from }) => from >= body);
  const sorted = start > 0 ? all.slice(start) : all;
  const words = sorted.map(({ from, to }) => text.slice(from, Math.min(to, from + 100)).toLowerCase());
  const inside = new Map<string, number>();
  let [best, bestWorth, first]: [Range | undefined, number, number] = [undefined, 0, 0];
  for (let last = 0; last < sorted.length; last += 1) {
    const { to } = sorted[last] as Range;
    const word = words[last] as string;
    inside.set(word, (inside.get(word) ?? 0) + 1);
    while (first < last && to - (sorted[first] as Range).from > clusterChars) {
      const gone = words[first] as string;
      const left = (inside.get(gone) ?? 1) - 1;
      if (left === 0) inside.delete(gone);
      else inside.set(gone, left);
      first += 1;
    }
    // Another word says more than the same word again.
    const worth = inside.size * 100 + Math.min(last - first, 50);
    if (worth > bestWorth) [best, bestWorth] = [{ from: (sorted[first] as Range).from, to }, worth];
  }
  return best;
}

/** Those that lie in a text of this length, by where they begin. Nearly always that is how they come. */
export function ascending(ranges: readonly Range[], length: number): readonly Range[] {
  let before = 0;
  for (const { from, to } of ranges) {
    if (from < before || from >= to || to > length) {
      return ranges.filter((one) => one.from < one.to && one.to <= length).toSorted((a, b) => a.from - b.from);
    }
    before = from;
  }
  return ranges;
}
