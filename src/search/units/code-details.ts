/** A part of a text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** How many lines at the beginning of a piece of code say what it is: its name, its comment. */
const telling = 4;

const star = 42;
const plus = 43;
const dash = 45;

/** Collects what follows those lines, from the lines of a text in their order. */
export interface CodeDetails {
  readonly found: TextRange[];
  /** A line that is not blank, with its first mark and how far that is indented. */
  take(start: number, mark: number, indent: number, isInFence: boolean): void;
  /** Nothing of what comes next belongs to what was there. */
  end(at: number): void;
}

/** Code stands in fences, or is indented: whole files of it have no fence. Lists are indented as well, and are none. */
export function createCodeDetails(): CodeDetails {
  const found: TextRange[] = [];
  let lines = 0;
  let from = 0;
  function end(at: number): void {
    if (lines > telling) found.push({ start: from, end: at });
    lines = 0;
  }
  return {
    found,
    take: (start, mark, indent, isInFence) => {
      const isItem = mark === dash || mark === star || mark === plus;
      if (!isInFence && (indent < 4 || isItem)) {
        end(start);
        return;
      }
      lines += 1;
      if (lines === telling + 1) from = start;
    },
    end,
  };
}
