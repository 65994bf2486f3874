import { lettersOf, type WordGroup } from "./word-table.ts";

/** A shorter word stands at the beginning or the end of very many that have nothing to do with it. */
const shortestPart = 5;
/** What a compound has more, at least: before its last part a word of its own, after its first one perhaps a letter. */
const leastBefore = 3;
const leastMore = 1;
/** Before a part that nobody asked for: many words end like another one after three letters, as “password”. */
const leastBeforePart = 4;

/** What German and English words end with that say the same. */
const endings: readonly string[] = ["ern", "en", "er", "es", "em", "e", "n", "s"];
const isEnding = new Set<string>(["", ...endings]);
const longestEnding = 3;

/** Words that hold this one as their first or last part: `Sperrdatei` for `Dateien`, `configur` for `config`. */
export function compoundsWith(word: string, groups: readonly WordGroup[]): string[] {
  const part = withoutEnding(word);
  if (part.length < shortestPart) return [];
  const letters = lettersOf(part);
  const found: string[] = [];
  for (const { length, letters: held, codes } of groups) {
    if (length < part.length + leastMore) continue;
    const places = placesIn(length, part.length, leastBefore);
    for (let at = 0; at < held.length; at++) {
      const start = at * length;
      if ((letters & ~(held[at] as number)) !== 0) continue;
      if (!places.some((place) => isEqual(part, 0, codes, start + place, part.length))) continue;
      const compound = wordAt(codes, start, length);
      if (isCompoundOf(compound, part, leastBefore)) found.push(compound);
    }
  }
  return found;
}

/** Words that this one holds as its first or last part. */
export function partsOf(compound: string, groups: readonly WordGroup[]): string[] {
  const letters = lettersOf(compound);
  const found: string[] = [];
  for (const { length, letters: held, codes } of groups) {
    if (length < shortestPart || length > compound.length - leastMore) continue;
    const places = placesIn(compound.length, length, leastBeforePart);
    for (let at = 0; at < held.length; at++) {
      const start = at * length;
      if (((held[at] as number) & ~letters) !== 0) continue;
      if (!places.some((place) => isEqual(compound, place, codes, start, length))) continue;
      const part = wordAt(codes, start, length);
      if (isCompoundOf(compound, part, leastBeforePart)) found.push(part);
    }
  }
  return found;
}

/** Where a part may begin: at the beginning, or so that an ending at most comes after it. */
function placesIn(compoundLength: number, partLength: number, before: number): readonly number[] {
  const last = compoundLength - partLength;
  const ends = Array.from({ length: longestEnding + 1 }, (_, ending) => last - ending);
  return [0, ...ends.filter((place) => place >= before)];
}

function isEqual(text: string, at: number, codes: ArrayLike<number>, start: number, length: number): boolean {
  for (let index = 0; index < length; index++) {
    if (text.charCodeAt(at + index) !== codes[start + index]) return false;
  }
  return true;
}

function wordAt(codes: WordGroup["codes"], start: number, length: number): string {
  return String.fromCharCode(...codes.subarray(start, start + length));
}

function isCompoundOf(compound: string, part: string, before: number): boolean {
  if (compound.startsWith(part)) return true;
  const at = compound.lastIndexOf(part);
  return at >= before && isEnding.has(compound.slice(at + part.length));
}

function withoutEnding(word: string): string {
  const ending = endings.find((one) => word.endsWith(one) && word.length - one.length >= shortestPart);
  return ending === undefined ? word : word.slice(0, -ending.length);
}
