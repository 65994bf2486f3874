import { type CarriedValue, carriedValue } from "./carried-value.ts";
import type { Effort } from "./rule.ts";

const maxLine = 400;
const maxRows = 4;
const afterName = /["'`*_]{0,4}[ \t]{0,20}\|/y;
const ruler = /[^\n]{0,400}\r?\n[ \t]{0,8}\|?[ \t:|-]{3,400}\r?\n/y;

/**
 * What stands below a name in the head of a Markdown table: the cell of the same column, in the first rows, for which
 * `isSecret` holds. Reads a bounded part of the text, and none at all where no cell ends with the name.
 */
export function cellBelow(
  text: string,
  nameEnd: number,
  effort: Effort,
  isSecret: (value: CarriedValue) => boolean,
): CarriedValue | undefined {
  afterName.lastIndex = nameEnd;
  if (!afterName.test(text)) return undefined;
  effort.spent += 4;
  ruler.lastIndex = nameEnd;
  const head = ruler.exec(text);
  if (!head) return undefined;
  effort.spent += 40;
  const column = columnAt(text, nameEnd);
  let start = nameEnd + head[0].length;
  for (let row = 0; row < maxRows; row += 1) {
    const line = text.slice(start, start + maxLine).split("\n", 1)[0] ?? "";
    if (!line.includes("|")) return undefined;
    const at = cellStart(line, column);
    const value = at === undefined ? undefined : carriedValue(text, start + at);
    effort.spent += 40;
    if (value && isSecret(value)) return value;
    start += line.length + 1;
  }
  return undefined;
}

/** How many cells stand before this place in its line; the bar at the beginning opens the first one. */
function columnAt(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - maxLine), at);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return line.split("|").length - 1 - (line.trimStart().startsWith("|") ? 1 : 0);
}

function cellStart(line: string, column: number): number | undefined {
  const cells = line.split("|");
  const first = line.trimStart().startsWith("|") ? 1 : 0;
  const cell = cells[first + column];
  if (cell === undefined || cell.trim() === "") return undefined;
  const before = cells.slice(0, first + column).reduce((length, one) => length + one.length + 1, 0);
  return before + cell.length - cell.trimStart().length;
}
