/** How often one credential may ask: a bucket that fills up steadily, and holds what a burst may take. */
export interface RateLimit {
  /** Zero where it may; else after how many seconds it may again. More than a burst holds is taken in advance. */
  take(key: string, count?: number): number;
  /** Gives one back that was taken. */
  give(key: string): void;
}

/** How many seconds' worth may come at once. */
const burstSeconds = 10;
const mostKept = 10_000;

export function createRateLimit(options: { readonly perMinute: number; readonly now: () => number }): RateLimit {
  const perSecond = options.perMinute / 60;
  const capacity = Math.max(1, perSecond * burstSeconds);
  const buckets = new Map<string, { left: number; at: number }>();

  /** A bucket that is full again says nothing: it need not be kept. */
  function tidy(time: number): void {
    for (const [key, { left, at }] of buckets) {
      if (left + ((time - at) / 1000) * perSecond >= capacity) buckets.delete(key);
    }
  }

  return {
    take: (key, count = 1) => {
      const time = options.now();
      if (buckets.size >= mostKept) tidy(time);
      const bucket = buckets.get(key) ?? { left: capacity, at: time };
      const left = Math.min(capacity, bucket.left + (Math.max(0, time - bucket.at) / 1000) * perSecond);
      const needed = Math.min(count, capacity);
      const may = left >= needed;
      buckets.set(key, { left: may ? left - count : left, at: time });
      return may ? 0 : Math.max(1, Math.ceil((needed - left) / perSecond));
    },
    give: (key) => {
      const bucket = buckets.get(key);
      if (bucket) bucket.left += 1;
    },
  };
}
