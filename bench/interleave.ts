import { type Summary, summarize } from "./statistics.ts";

export type Subject = (round: number) => unknown;

/**
 * Times several subjects operation by operation in turn, so that a noisy neighbour or a slow disk
 * meets all of them alike. Every second round runs backwards: what one leaves for the disk to do is
 * paid by whoever comes next, and that must not always be the same one.
 */
export async function interleave<Name extends string>(
  subjects: Readonly<Record<Name, Subject>>,
  rounds: { readonly warmUp: number; readonly measured: number },
  afterEach?: () => Promise<void>,
): Promise<Record<Name, Summary>> {
  const entries = Object.entries<Subject>(subjects) as [Name, Subject][];
  const samples = new Map<Name, number[]>(entries.map(([name]) => [name, []]));
  for (let round = 0; round < rounds.warmUp + rounds.measured; round += 1) {
    for (const [name, subject] of round % 2 === 0 ? entries : entries.toReversed()) {
      const elapsed = await time(() => subject(round));
      await afterEach?.();
      if (round >= rounds.warmUp) samples.get(name)?.push(elapsed);
    }
  }
  return Object.fromEntries(entries.map(([name]) => [name, summarize(samples.get(name) ?? [])])) as Record<
    Name,
    Summary
  >;
}

async function time(run: () => unknown): Promise<number> {
  const start = performance.now();
  const result = run();
  // Only what is asynchronous pays for a turn of the event loop.
  if (result instanceof Promise) await result;
  return performance.now() - start;
}
