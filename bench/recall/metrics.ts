/** How well one question was answered. */
export interface Outcome {
  /** The ranks of its answers, from 0; Infinity for one that was not found. */
  readonly ranks: readonly number[];
}

/** The share of a question's answers among the first k, in percent. */
export function recallAt(k: number): (outcome: Outcome) => number {
  return ({ ranks }) => (100 * ranks.filter((rank) => rank < k).length) / ranks.length;
}

/** 100 divided by the rank of the first answer, counted from 1. */
export function reciprocalRank({ ranks }: Outcome): number {
  return 100 / (Math.min(...ranks) + 1);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The interval that holds 95 of 100 means of samples drawn from the values, each value as often as it comes. */
export function bootstrapInterval(values: readonly number[], samples = 1000, seed = 1): [number, number] {
  const random = createRandom(seed);
  const means = Array.from({ length: samples }, () => {
    let sum = 0;
    for (let draw = 0; draw < values.length; draw += 1) sum += values[Math.floor(random() * values.length)] ?? 0;
    return sum / values.length;
  }).sort((a, b) => a - b);
  return [means[Math.floor(samples * 0.025)] ?? Number.NaN, means[Math.ceil(samples * 0.975) - 1] ?? Number.NaN];
}

/** The same numbers in each run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
