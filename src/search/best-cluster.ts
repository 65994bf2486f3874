export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Matches within so many characters belong together. */
export const clusterChars = 160;

/** Where most of what matches stands together. What is before `body` is a title, and counts only alone. */
export function bestCluster(text: string, matches: readonly Range[], body: number): Range | undefined {
  const all = matches.filter(({ from, to }) => from < to && to <= text.length).toSorted((a, b) => a.from - b.from);
  const inBody = all.filter(({ from }) => from >= body);
  const sorted = inBody.length > 0 ? inBody : all;
  const words = sorted.map(({ from, to }) => text.slice(from, Math.min(to, from + 100)).toLowerCase());
  const inside = new Map<string, number>();
  let [best, bestWorth, first]: [Range | undefined, number, number] = [undefined, 0, 0];
  for (const [last, { from, to }] of sorted.entries()) {
    const word = words[last] ?? "";
    inside.set(word, (inside.get(word) ?? 0) + 1);
    while (first < last && to - (sorted[first]?.from ?? 0) > clusterChars) {
      const gone = words[first] ?? "";
      const left = (inside.get(gone) ?? 1) - 1;
      if (left === 0) inside.delete(gone);
      else inside.set(gone, left);
      first += 1;
    }
    const start = sorted[first]?.from ?? from;
    // Another word says more than the same word again.
    const worth = inside.size * 100 + Math.min(last - first, 50);
    if (worth > bestWorth) [best, bestWorth] = [{ from: start, to }, worth];
  }
  return best;
}
