/** How many bits of a key say which term it is of. */
const placeBits = 24;
const [low, high] = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? [0, 1] : [1, 0];
/** Stands for all characters that do not fit into a byte; what follows it is left to comparing. */
const wide = 255;
const few = 8;

/**
 * The places of the terms, ascending by term as `sort` has it. A segment has so many terms that comparing them would be
 * most of the work of writing it: they are sorted as numbers, by their first five characters, and compared only where
 * these are the same.
 */
export function sortTerms(terms: readonly string[]): Uint32Array {
  if (terms.length >= 2 ** placeBits) throw new RangeError("There are too many terms for one segment.");
  const keys = new BigUint64Array(terms.length);
  const halves = new Uint32Array(keys.buffer);
  for (let place = 0; place < terms.length; place++) {
    const prefix = prefixOf(terms[place] as string);
    halves[2 * place + high] = prefix / 256;
    halves[2 * place + low] = (prefix % 256) * 2 ** placeBits + place;
  }
  keys.sort();
  return sortAlike(terms, halves);
}

function prefixOf(term: string): number {
  let prefix = 0;
  let isOver = false;
  for (let at = 0; at < 5; at++) {
    const byte: number = isOver || at >= term.length ? 0 : Math.min(term.charCodeAt(at), wide);
    isOver ||= byte === wide;
    prefix = prefix * 256 + byte;
  }
  return prefix;
}

/** The places in the order of their keys; those of equal keys by comparing. */
function sortAlike(terms: readonly string[], halves: Uint32Array): Uint32Array {
  const sorted = new Uint32Array(terms.length);
  for (let index = 0; index < sorted.length; index++) {
    sorted[index] = (halves[2 * index + low] as number) & (2 ** placeBits - 1);
  }
  const isAlike = (index: number) =>
    halves[2 * index + high] === halves[2 * index - 2 + high] &&
    (halves[2 * index + low] as number) >>> placeBits === (halves[2 * index - 2 + low] as number) >>> placeBits;
  for (let from = 0; from < sorted.length; ) {
    let to = from + 1;
    while (to < sorted.length && isAlike(to)) to++;
    if (to - from > few) sorted.subarray(from, to).sort((left, right) => (isLess(terms, left, right) ? -1 : 1));
    else for (let index = from + 1; index < to; index++) insert(terms, sorted, from, index);
    from = to;
  }
  return sorted;
}

/** Puts what is at `index` where it belongs among those before it. */
function insert(terms: readonly string[], sorted: Uint32Array, from: number, index: number): void {
  const place = sorted[index] as number;
  let to = index;
  for (; to > from && isLess(terms, place, sorted[to - 1] as number); to--) sorted[to] = sorted[to - 1] as number;
  sorted[to] = place;
}

function isLess(terms: readonly string[], left: number, right: number): boolean {
  return (terms[left] as string) < (terms[right] as string);
}
