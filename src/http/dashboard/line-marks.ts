/** The part of two lines in which they differ: where it begins in both, and where it ends in each. */
export interface LineMarks {
  readonly from: number;
  readonly leftTo: number;
  readonly rightTo: number;
}

const wordCharacter = /[\p{L}\p{N}_]/u;

/**
 * What changed within a line, in whole words: half of a word reads like an error. Undefined where the lines have so
 * little in common that marks would say no more than their colours.
 */
export function markLine(left: string, right: string): LineMarks | undefined {
  const [mine, theirs] = [wordsOf(left), wordsOf(right)];
  const shorter = Math.min(mine.length, theirs.length);
  let start = 0;
  while (start < shorter && mine[start] === theirs[start]) start += 1;
  let end = 0;
  while (end < shorter - start && mine.at(-1 - end) === theirs.at(-1 - end)) end += 1;
  const from = mine.slice(0, start).join("").length;
  const same = from + mine.slice(mine.length - end).join("").length;
  const most = Math.max(left.length, right.length);
  if (most === same || same * 4 < most) return undefined;
  return { from, leftTo: left.length - (same - from), rightTo: right.length - (same - from) };
}

/** Words, and each other character by itself. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  let isInWord = false;
  for (const character of line) {
    const isWord = wordCharacter.test(character);
    if (isWord && isInWord) words[words.length - 1] += character;
    else words.push(character);
    isInWord = isWord;
  }
  return words;
}
