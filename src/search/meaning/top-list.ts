/** Keeps the best of many: a heap with the worst that is kept on top. */
export interface TopList<Item> {
  /** What a score must at least have to be kept. */
  least(): number;
  offer(score: number, item: Item): void;
  /** Best first. */
  sorted(): { readonly score: number; readonly item: Item }[];
}

/** Of equal scores `isBefore` says which comes first, so that the list depends on no order of offering. */
export function createTopList<Item>(size: number, isBefore: (left: Item, right: Item) => boolean): TopList<Item> {
  const kept: { readonly score: number; readonly item: Item }[] = [];
  type Kept = (typeof kept)[number];

  function isWorse(left: Kept, right: Kept): boolean {
    return left.score < right.score || (left.score === right.score && isBefore(right.item, left.item));
  }

  function sinkFromTop(entry: Kept): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= kept.length) break;
      if (child + 1 < kept.length && isWorse(kept[child + 1] as Kept, kept[child] as Kept)) child++;
      if (!isWorse(kept[child] as Kept, entry)) break;
      kept[at] = kept[child] as Kept;
      at = child;
    }
    kept[at] = entry;
  }

  function rise(entry: Kept): void {
    let at = kept.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isWorse(entry, kept[parent] as Kept)) break;
      kept[at] = kept[parent] as Kept;
      at = parent;
    }
    kept[at] = entry;
  }

  return {
    least: () => (kept.length < size ? Number.NEGATIVE_INFINITY : (kept[0]?.score ?? Number.POSITIVE_INFINITY)),
    offer: (score, item) => {
      const entry = { score, item };
      if (kept.length < size) rise(entry);
      else if (size > 0 && isWorse(kept[0] as Kept, entry)) sinkFromTop(entry);
    },
    sorted: () => [...kept].sort((left, right) => (isWorse(left, right) ? 1 : -1)),
  };
}
