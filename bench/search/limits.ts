/** What is promised for so many notes. Times are shares of FTS5's in the same run. */
interface SpeedLimits {
  readonly median?: number;
  readonly p95?: number;
  /** The least share of FTS5's rate. */
  readonly buildShare?: number;
  /** The least rate, in notes per second. */
  readonly build?: number;
  /** Megabytes. */
  readonly memory?: number;
}

export const afterWriteLimit = 2;
export const firstAnswerLimit = 2.2;

export function limits(count: number, meaning: boolean): SpeedLimits {
  if (meaning) return count === 100_000 ? { p95: 1, build: 5000, memory: 250 } : {};
  if (count === 10_000) return { median: 1 };
  if (count === 100_000) return { p95: 0.25, buildShare: 0.5, memory: 250 };
  if (count === 1_000_000) return { p95: 0.1 };
  return {};
}
