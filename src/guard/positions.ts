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
