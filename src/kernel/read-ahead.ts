/** How many are asked for at once: a store that is far away answers them in the time of one. */
const atOnce = 16;

/** Each with what was read of it, in their order. */
export async function* readAhead<One, Result>(
  all: readonly One[],
  read: (one: One) => Promise<Result>,
): AsyncGenerator<readonly [One, Result], void> {
  for (let from = 0; from < all.length; from += atOnce) {
    yield* await Promise.all(all.slice(from, from + atOnce).map(async (one) => [one, await read(one)] as const));
  }
}
