/** Set by `npm run test:all`. */
const isComplete = process.env["RECOLLECT_TEST_ALL"] === "1";

/**
 * A spread of `most` rows of a table whose rows take the same way through the program, such as one damage after the
 * other: each row costs dozens of processes. `npm run test:all` tries every row.
 */
export function someCases<Row>(rows: readonly Row[], most: number): readonly Row[] {
  if (isComplete || rows.length <= most) return rows;
  return Array.from({ length: most }, (_, index) => rows[Math.floor((index * rows.length) / most)] as Row);
}

/** How often a test repeats itself with other random values. */
export function someRuns(most: number, all: number): number {
  return isComplete ? all : most;
}
