/** A document that is not committed, and why. */
export interface LeftOut {
  readonly path: string;
  readonly why: string;
}

/** In words, each reason with what it is about. */
export function wordsOf(left: readonly LeftOut[]): string {
  const byReason = Map.groupBy(left, ({ why }) => why);
  return [...byReason].map(([why, all]) => `${all.map(({ path }) => path).join(", ")}: ${why}`).join("; ");
}
