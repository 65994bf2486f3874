/** A stretch of two texts: lines that both have, or what each has in this place. */
export type Hunk =
  | { readonly kind: "same"; readonly lines: readonly string[] }
  | { readonly kind: "differs"; readonly left: readonly string[]; readonly right: readonly string[] };

/** Lines of both texts that lie beside each other. */
interface Piece {
  readonly isSame: boolean;
  readonly left: readonly string[];
  readonly right: readonly string[];
}

/** Above this, what is left between the same beginning and end is one hunk: a table of it would stop the page. */
const largestTable = 4_000_000;

/** Two texts by lines, for a person who has to choose. The lines of all hunks, put together, are each text again. */
export function diffLines(left: string, right: string): Hunk[] {
  const [from, to] = [left.split("\n"), right.split("\n")];
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < from.length - start && end < to.length - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  const middle = diffMiddle(from.slice(start, from.length - end), to.slice(start, to.length - end));
  return joined([
    { isSame: true, left: from.slice(0, start), right: to.slice(0, start) },
    ...middle,
    { isSame: true, left: from.slice(from.length - end), right: to.slice(to.length - end) },
  ]);
}

function diffMiddle(left: readonly string[], right: readonly string[]): Piece[] {
  if (left.length * right.length > largestTable) return [{ isSame: false, left, right }];
  const width = right.length + 1;
  const common = new Uint32Array((left.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      common[row * width + column] =
        left[row] === right[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pieces: Piece[] = [];
  let [row, column] = [0, 0];
  while (row < left.length || column < right.length) {
    const [mine = "", theirs = ""] = [left[row], right[column]];
    if (row < left.length && column < right.length && mine === theirs) {
      pieces.push({ isSame: true, left: [mine], right: [theirs] });
      row += 1;
      column += 1;
    } else if (column === right.length || (row < left.length && at(row + 1, column) >= at(row, column + 1))) {
      pieces.push({ isSame: false, left: [mine], right: [] });
      row += 1;
    } else {
      pieces.push({ isSame: false, left: [], right: [theirs] });
      column += 1;
    }
  }
  return pieces;
}

/** Neighbours of one kind become one hunk. */
function joined(pieces: readonly Piece[]): Hunk[] {
  const whole: { isSame: boolean; left: string[]; right: string[] }[] = [];
  for (const piece of pieces) {
    if (piece.left.length + piece.right.length === 0) continue;
    let last = whole.at(-1);
    if (last?.isSame !== piece.isSame) {
      last = { isSame: piece.isSame, left: [], right: [] };
      whole.push(last);
    }
    for (const line of piece.left) last.left.push(line);
    for (const line of piece.right) last.right.push(line);
  }
  return whole.map(({ isSame, left, right }) =>
    isSame ? { kind: "same", lines: left } : { kind: "differs", left, right },
  );
}

export type Choice = "left" | "right" | "both";

/** The text that choices make; where none was made, what `otherwise` says. */
export function chosenText(hunks: readonly Hunk[], choices: ReadonlyMap<number, Choice>, otherwise: Choice): string {
  return hunks
    .flatMap((hunk, index) => {
      if (hunk.kind === "same") return hunk.lines;
      const choice = choices.get(index) ?? otherwise;
      if (choice === "both") return [...hunk.left, ...hunk.right];
      return choice === "left" ? hunk.left : hunk.right;
    })
    .join("\n");
}
