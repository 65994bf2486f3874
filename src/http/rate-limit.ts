/** How often one credential may ask: a bucket that fills up steadily, and holds what a burst may take. */
export interface RateLimit {
  /** Zero where it may; else after how many seconds it may again. */
  take(key: string): number;
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
    take: (key) => {
      const time = options.now();
      if (buckets.size >= mostKept) tidy(time);
      const bucket = buckets.get(key) ?? { left: capacity, at: time };
      const left = Math.min(capacity, bucket.left + (Math.max(0, time - bucket.at) / 1000) * perSecond);
      const may = left >= 1;
      buckets.set(key, { left: may ? left - 1 : left, at: time });
      return may ? 0 : Math.max(1, Math.ceil((1 - left) / perSecond));
    },
  };
}
