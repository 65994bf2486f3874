import { failureOf } from "./database-error.ts";

/** One of those who went in one transaction, and is to be told what became of it. */
export interface Failing {
  fail(error: unknown): void;
}

/** What befell some of them, and would befall those who wait behind them. */
export interface FailedForAll {
  readonly error: unknown;
}

/** Tells them, and says whether those behind them are to be told the same. */
export function failAll(all: readonly Failing[], error: unknown): FailedForAll | undefined {
  for (const one of all) one.fail(error);
  const failure = failureOf(error);
  return failure === "held" || failure === "common" ? { error } : undefined;
}

/** One after the other, until something befalls all of them. */
export async function eachAlone<One extends Failing>(
  all: readonly One[],
  go: (alone: readonly [One]) => Promise<FailedForAll | undefined>,
): Promise<FailedForAll | undefined> {
  for (const [at, one] of all.entries()) {
    const failed = await go([one]);
    if (failed) return failAll(all.slice(at + 1), failed.error);
  }
  return undefined;
}
