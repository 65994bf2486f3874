/** Turns offsets into lines and columns, both from 1. */
export function positionsIn(text: string): (offset: number) => { readonly line: number; readonly column: number } {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    const line = countUpTo(starts, offset);
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}

/** How many of the ascending numbers are at most the limit. */
export function countUpTo(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A text after replacements that made it shorter, and the way back. */
export interface Replaced {
  readonly text: string;
  /** From an offset in this text to that in the original one. */
  readonly toOriginal: (offset: number) => number;
}

export function replaced(text: string, pattern: RegExp, replacement: (found: string) => string): Replaced {
  const at: number[] = [];
  const lost: number[] = [];
  let total = 0;
  // The patterns have no groups, so the offset comes second.
  const result = text.replaceAll(pattern, (found: string, offset: number) => {
    const instead = replacement(found);
    at.push(offset - total + instead.length);
    total += found.length - instead.length;
    lost.push(total);
    return instead;
  });
  return { text: result, toOriginal: (offset) => offset + (lost[countUpTo(at, offset) - 1] ?? 0) };
}
