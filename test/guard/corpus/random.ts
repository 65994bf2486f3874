/** A seeded source of made-up values: the corpus is the same in every run, and no value stands in the sources. */
export interface Random {
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
  text(alphabet: string, length: number): string;
}

export const digits = "0123456789";
export const hex = `${digits}abcdef`;
export const lower = "abcdefghijklmnopqrstuvwxyz";
export const upper = lower.toUpperCase();
export const alphanumeric = lower + upper + digits;
export const base64 = `${alphanumeric}+/`;
export const base64Url = `${alphanumeric}-_`;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <T>(items: readonly T[]): T => {
    const item = items[below(items.length)];
    if (item === undefined) throw new Error("Nothing to pick from.");
    return item;
  };
  return { below, pick, text: (alphabet, length) => Array.from({ length }, () => pick([...alphabet])).join("") };
}
