/** How many letters differ, are missing, too many, or have changed places. */
export function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const now = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      const steps = [at(last, column) + 1, at(now, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1)];
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) steps.push(at(beforeLast, column - 2) + 1);
      now.push(Math.min(...steps));
    }
    [beforeLast, last] = [last, now];
  }
  return at(last, right.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
