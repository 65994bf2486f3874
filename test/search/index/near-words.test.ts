import fc from "fast-check";
import { expect, test } from "vitest";
import { createNearWordFinder, errorsAllowed } from "../../../src/search/index/near-words.ts";
import { packWords, readWords } from "../../../src/search/index/word-table.ts";

/** Letter by letter: added, left out, replaced, or two neighbours swapped. */
function distance(left: string, right: string): number {
  const table = Array.from({ length: left.length + 1 }, (_, row) =>
    Array.from({ length: right.length + 1 }, (_column, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  const at = (row: number, column: number) => table[row]?.[column] ?? 0;
  for (let row = 1; row <= left.length; row++) {
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1;
      let least = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + same);
      const isSwapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isSwapped) least = Math.min(least, at(row - 2, column - 2) + 1);
      (table[row] as number[])[column] = least;
    }
  }
  return at(left.length, right.length);
}

const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "é", "ж"), minLength: 3, maxLength: 12 });

test("SRCH-2 the words near another one are exactly those within the distance", () => {
  const findNear = createNearWordFinder();
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { maxLength: 60 }),
      word,
      fc.integer({ min: 1, max: 2 }),
      (words, wanted, errors) => {
        const found = findNear(wanted, readWords(packWords(words)), errors);
        const expected = words
          .map((term) => ({ term, distance: distance(wanted, term) }))
          .filter((near) => near.distance <= errors);
        const byTerm = (left: { term: string }, right: { term: string }) => (left.term < right.term ? -1 : 1);
        expect(found.sort(byTerm)).toEqual(expected.sort(byTerm));
      },
    ),
  );
});

test("SRCH-2 a short word may hold no error, a long one two", () => {
  expect(["abc", "abcd", "abcdefg", "abcdefgh"].map(errorsAllowed)).toEqual([0, 1, 1, 2]);
});

test("SRCH-2 numbers are never taken for typing errors", () => {
  expect(readWords(packWords(["2024", "prb-142", "v1a", "ab", "word"])).map(({ length }) => length)).toEqual([4]);
});
