const context = 2;
/** Past this the lines between the first and the last change are shown as replaced; an edit of ours is far below. */
const comparedLines = 400;

type Line = readonly [sign: " " | "-" | "+", text: string];

/**
 * The changed lines of a text with a little around them, as `diff -u` shows them, without its file names. The spans
 * of the new text in `whole` are shown in full: what an entry keeps matters as much as what changes in it.
 */
export function unifiedDiff(
  before: string,
  after: string,
  whole: readonly { readonly start: number; readonly end: number }[] = [],
): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const same = (lines: string[]): Line[] => lines.map((line) => [" ", line]);
  const lines: Line[] = [
    ...same(old.slice(0, head)),
    ...changesOf(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...same(old.slice(old.length - tail)),
  ];
  const lineAt = (offset: number) => after.slice(0, offset).split("\n").length;
  const ranges = whole.map(({ start, end }) => ({ first: lineAt(start), last: lineAt(Math.max(start, end - 1)) }));
  return hunksOf(lines, (line) => ranges.some(({ first, last }) => first <= line && line <= last));
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function changesOf(old: readonly string[], now: readonly string[]): Line[] {
  if (old.length > comparedLines || now.length > comparedLines) {
    return [...old.map((line): Line => ["-", line]), ...now.map((line): Line => ["+", line])];
  }
  const common = commonLengths(old, now);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push([" ", old[i] as string]);
      i += 1;
      j += 1;
    } else if (i < old.length && (j === now.length || lengthAt(common, i + 1, j) >= lengthAt(common, i, j + 1))) {
      lines.push(["-", old[i] as string]);
      i += 1;
    } else {
      lines.push(["+", now[j] as string]);
      j += 1;
    }
  }
  return lines;
}

/** [i][j]: how many lines the rests from i and from j have in common. */
function commonLengths(old: readonly string[], now: readonly string[]): number[][] {
  const table = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const row = table[i] as number[];
      row[j] =
        old[i] === now[j]
          ? lengthAt(table, i + 1, j + 1) + 1
          : Math.max(lengthAt(table, i + 1, j), lengthAt(table, i, j + 1));
    }
  }
  return table;
}

function lengthAt(table: readonly number[][], i: number, j: number): number {
  return table[i]?.[j] ?? 0;
}

function hunksOf(lines: readonly Line[], isAsked: (newLine: number) => boolean): string[] {
  let current = 0;
  const shown = lines.map(([own], index) => {
    if (own !== "-") current += 1;
    const isNear = lines.slice(Math.max(0, index - context), index + context + 1).some(([sign]) => sign !== " ");
    return isNear || isAsked(current);
  });
  const result: string[] = [];
  let [oldLine, newLine] = [1, 1];
  for (const [index, [sign, text]] of lines.entries()) {
    if (shown[index] && !shown[index - 1]) result.push(`@@ -${oldLine} +${newLine} @@`);
    if (shown[index]) result.push(`${sign}${text}`);
    if (sign !== "+") oldLine += 1;
    if (sign !== "-") newLine += 1;
  }
  return result;
}
