import { lettersOf, type WordGroup } from "./word-table.ts";

export interface NearWord {
  readonly term: string;
  readonly distance: number;
}

/** How many errors a word of this length may hold: in a short one, nearly every word would be near. */
export function errorsAllowed(word: string): number {
  if (word.length < 4) return 0;
  return word.length < 8 ? 1 : 2;
}

/** Where a word of up to 31 characters holds each character, as bits. */
interface Pattern {
  readonly length: number;
  readonly places: Int32Array;
  readonly letters: number;
}

/**
 * All 65,536 places, so that looking one up is a plain read; made once and cleaned after each word.
 */
export function createNearWordFinder() {
  let places: Int32Array | undefined;

  return (word: string, groups: readonly WordGroup[], errors: number): NearWord[] => {
    places ??= new Int32Array(65_536);
    for (let index = 0; index < word.length; index++) {
      const code = word.charCodeAt(index);
      places[code] = (places[code] as number) | (1 << index);
    }
    const pattern = { length: word.length, places, letters: lettersOf(word) };
    const found: NearWord[] = [];
    for (const group of groups) {
      if (Math.abs(group.length - word.length) <= errors) scanGroup(pattern, group, errors, found);
    }
    for (let index = 0; index < word.length; index++) places[word.charCodeAt(index)] = 0;
    return found;
  };
}

function scanGroup(pattern: Pattern, { length, letters, codes }: WordGroup, errors: number, found: NearWord[]): void {
  for (let word = 0; word < letters.length; word++) {
    const held = letters[word] as number;
    if (exceeds(held & ~pattern.letters, errors) || exceeds(pattern.letters & ~held, errors)) continue;
    const start = word * length;
    const distance = distanceWithin(pattern, codes, start, length, errors);
    if (distance <= errors)
      found.push({ term: String.fromCharCode(...codes.subarray(start, start + length)), distance });
  }
}

/** Whether more letters than errors are in one word alone: an error brings or takes one letter. */
function exceeds(letters: number, errors: number): boolean {
  const withoutOne = letters & (letters - 1);
  return errors === 1 ? withoutOne !== 0 : (withoutOne & (withoutOne - 1)) !== 0;
}

/**
 * The optimal string alignment distance (a letter added, left out, replaced, or two neighbours swapped), all rows of
 * the table at once as bits of a number (Hyyrö 2003). Stops where it cannot come back within the errors.
 */
function distanceWithin(
  pattern: Pattern,
  codes: ArrayLike<number>,
  start: number,
  length: number,
  errors: number,
): number {
  const { places } = pattern;
  const last = 1 << (pattern.length - 1);
  let distance = pattern.length;
  let vertical = -1;
  let falling = 0;
  let diagonal = 0;
  let before = 0;
  for (let index = 0; index < length; index++) {
    const here = places[codes[start + index] as number] as number;
    const swapped = ((~diagonal & here) << 1) & before;
    diagonal = (((here & vertical) + vertical) ^ vertical) | here | falling | swapped;
    let rising = falling | ~(diagonal | vertical);
    const sinking = diagonal & vertical;
    if ((rising & last) !== 0) distance++;
    else if ((sinking & last) !== 0) distance--;
    if (distance - (length - 1 - index) > errors) return errors + 1;
    rising = (rising << 1) | 1;
    vertical = (sinking << 1) | ~(diagonal | rising);
    falling = rising & diagonal;
    before = here;
  }
  return distance;
}
