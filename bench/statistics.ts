/** What a row of timings says: the median for judging, the tail for honesty. All in milliseconds. */
export interface Summary {
  readonly count: number;
  readonly median: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly longest: number;
}

export function summarize(samples: readonly number[]): Summary {
  const sorted = samples.toSorted((a, b) => a - b);
  return {
    count: sorted.length,
    median: quantile(sorted, 0.5),
    p90: quantile(sorted, 0.9),
    p95: quantile(sorted, 0.95),
    p99: quantile(sorted, 0.99),
    longest: quantile(sorted, 1),
  };
}

export function median(samples: readonly number[]): number {
  return summarize(samples).median;
}

function quantile(sorted: readonly number[], share: number): number {
  const index = Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1);
  return sorted[Math.max(0, index)] ?? Number.NaN;
}
