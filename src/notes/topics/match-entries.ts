import { originOf, textOf } from "./topic-archive.ts";
import type { RawEntry } from "./topic-file.ts";

/** What makes two entries the same one, the surest sign first. */
const signs = {
  raw: ({ raw }) => raw,
  sense: senseOf,
  heading: ({ date, title }) => `${date} ${title}`,
  // Somebody mended its title or its date. Nothing at all is no sign.
  text: (entry) => textOf(entry) || undefined,
} as const satisfies Record<string, (entry: RawEntry) => string | undefined>;

/** The same for entries that say the same and come from the same place, whatever line ends and separator they have. */
export function senseOf(entry: RawEntry): string {
  const heading = entry.raw.split("\n", 1)[0]?.trimEnd();
  return `${heading}\n${originOf(entry) ?? ""}\n${textOf(entry)}`;
}

/** Which entry of a later file an entry is there: for each index of the first the index in the second. */
export function matchEdited(before: readonly RawEntry[], after: readonly RawEntry[]): Map<number, number> {
  return match(before, after, ["raw", "sense", "heading", "text"]);
}

/** The same for two files of which neither comes from the other: there the same heading means nothing. */
export function matchSame(one: readonly RawEntry[], other: readonly RawEntry[]): Map<number, number> {
  return match(one, other, ["raw", "sense"]);
}

/** Of several with the same sign the first belongs to the first. */
function match(
  before: readonly RawEntry[],
  after: readonly RawEntry[],
  by: readonly (keyof typeof signs)[],
): Map<number, number> {
  const matched = new Map<number, number>();
  let [left, right] = [[...before.keys()], [...after.keys()]];
  for (const name of by) {
    if (left.length === 0 || right.length === 0) break;
    const found = new Set<number>();
    const open = Map.groupBy(right.toReversed(), (index) => signs[name](after[index] as RawEntry));
    for (const index of left) {
      const sign = signs[name](before[index] as RawEntry);
      const twin = sign === undefined ? undefined : open.get(sign)?.pop();
      if (twin === undefined) continue;
      matched.set(index, twin);
      found.add(twin);
    }
    left = left.filter((index) => !matched.has(index));
    right = right.filter((index) => !found.has(index));
  }
  return matched;
}
