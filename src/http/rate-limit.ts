/** How often one credential may ask: a bucket that fills up steadily, and holds what a burst may take. */
export interface RateLimit {
  /** Zero where it may; else after how many seconds it may again. More than a burst holds is taken in advance. */
  take(key: string, count?: number): number;
  /** The same, and takes nothing. */
  wait(key: string): number;
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

  function leftOf(key: string, time: number): number {
    const bucket = buckets.get(key) ?? { left: capacity, at: time };
    return Math.min(capacity, bucket.left + (Math.max(0, time - bucket.at) / 1000) * perSecond);
  }

  /** Zero where there is as much. */
  function secondsUntil(needed: number, left: number): number {
    return left >= needed ? 0 : Math.max(1, Math.ceil((needed - left) / perSecond));
  }

  return {
    take: (key, count = 1) => {
      const time = options.now();
      if (buckets.size >= mostKept) tidy(time);
      const left = leftOf(key, time);
      const wait = secondsUntil(Math.min(count, capacity), left);
      buckets.set(key, { left: wait === 0 ? left - count : left, at: time });
      return wait;
    },
    wait: (key) => secondsUntil(1, leftOf(key, options.now())),
  };
}
