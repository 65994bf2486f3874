/** A unit among the best, in a segment that is told by its number in the order of searching. */
export interface TopUnit {
  readonly segment: number;
  readonly unit: number;
  readonly score: number;
}

/**
 * Gathers the best units. Which of equally scored ones comes first is known only when their paths are read, so all
 * that are offered are kept. Within a segment the order of units is the order of paths: of those that score just the
 * least, the first so many of a segment are enough.
 */
export interface TopUnits {
  readonly limit: number;
  /** Units that score less, or nothing, need not be offered. */
  least(): number;
  /** Answers the new least. */
  offer(segment: number, unit: number, score: number): number;
  /** The best so many, in no order, with those that score like the last of them. */
  kept(): readonly TopUnit[];
}

export function createTopUnits(limit: number): TopUnits {
  /** The best scores so far, the least of them on top. */
  const heap = new Float64Array(limit);
  let filled = 0;
  let least = limit > 0 ? Number.MIN_VALUE : Number.POSITIVE_INFINITY;
  let kept: TopUnit[] = [];
  let capacity = Math.max(64, limit * 3);

  function rise(score: number): void {
    let place = filled++;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if ((heap[parent] as number) <= score) break;
      heap[place] = heap[parent] as number;
      place = parent;
    }
    heap[place] = score;
  }

  function sink(score: number): void {
    let place = 0;
    for (let child = 1; child < limit; child = 2 * place + 1) {
      if (child + 1 < limit && (heap[child + 1] as number) < (heap[child] as number)) child++;
      if ((heap[child] as number) >= score) break;
      heap[place] = heap[child] as number;
      place = child;
    }
    heap[place] = score;
  }

  function prune(): void {
    kept = kept.filter(({ score }) => score >= least);
    capacity = Math.max(capacity, kept.length * 2);
  }

  return {
    limit,
    least: () => least,
    offer(segment, unit, score) {
      if (score < least) return least;
      kept.push({ segment, unit, score });
      if (filled < limit) rise(score);
      else sink(score);
      if (filled === limit) least = heap[0] ?? least;
      if (kept.length >= capacity) prune();
      return least;
    },
    kept() {
      prune();
      return kept;
    },
  };
}
