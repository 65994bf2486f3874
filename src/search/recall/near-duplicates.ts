/** A text as the set of its runs of three words. */
export type Shingles = ReadonlySet<string>;

const runWords = 3;
/** From this share on, a text says what another said before. */
const sameShare = 0.7;
/** What is beyond tells no more about whether two texts are the same. */
const mostChars = 20_000;

/** Takes milliseconds to make, which a search that recalls nothing need not wait for. */
let words: RegExp | undefined;

export function shinglesOf(text: string): Shingles {
  words ??= /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{M}\p{N}_]/gu;
  const found = text.slice(0, mostChars).normalize("NFKC").toLowerCase().match(words) ?? [];
  // Signs part words, but a text of signs alone is told from another by them.
  const spoken = found.filter((word) => /[\p{L}\p{N}]/u.test(word));
  const all = spoken.length > 0 ? spoken : found;
  if (all.length <= runWords) return new Set([all.join(" ")]);
  return new Set(all.slice(runWords - 1).map((_, at) => all.slice(at, at + runWords).join(" ")));
}

/** Whether `later` adds too little to `earlier`. A longer text that contains a shorter one does add. */
export function repeats(later: Shingles, earlier: Shingles): boolean {
  let shared = 0;
  for (const run of later) if (earlier.has(run)) shared += 1;
  return shared >= sameShare * later.size;
}
