import { type CarriedValue, carriedValue } from "./carried-value.ts";
import type { Effort } from "./rule.ts";

const maxLine = 400;
const maxRows = 4;
const afterName = /["'`*_]{0,4}[ \t]{0,20}(?:\||\r?\n)/y;
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
  const place = placeIn(lineAround(text, nameEnd), nameEnd - lineStart(text, nameEnd));
  let start = nameEnd + head[0].length;
  for (let row = 0; row < maxRows; row += 1) {
    const line = text.slice(start, start + maxLine).split("\n", 1)[0] ?? "";
    if (!line.includes("|")) return undefined;
    effort.spent += 40;
    for (const at of cellsAt(line, place)) {
      const value = carriedValue(text, start + at);
      if (value && isSecret(value)) return value;
    }
    start += line.length + 1;
  }
  return undefined;
}

/** Counted in more than one way: the bars at the ends of a row may be left out, or have something outside of them. */
interface CellPlace {
  readonly barsBefore: number;
  readonly fromLeft: number;
  readonly fromRight: number;
}

function lineStart(text: string, at: number): number {
  const from = Math.max(0, at - maxLine);
  return from + text.slice(from, at).lastIndexOf("\n") + 1;
}

function lineAround(text: string, at: number): string {
  return text.slice(lineStart(text, at), at + maxLine).split("\n", 1)[0] ?? "";
}

function placeIn(line: string, at: number): CellPlace {
  const opened = line.trimStart().startsWith("|") ? 1 : 0;
  const closed = line.trimEnd().endsWith("|") ? 1 : 0;
  const barsBefore = line.slice(0, at).split("|").length - 1;
  return {
    barsBefore,
    fromLeft: barsBefore - opened,
    fromRight: line.slice(at).split("|").length - 1 - closed,
  };
}

function cellsAt(line: string, { barsBefore, fromLeft, fromRight }: CellPlace): number[] {
  const cells = line.split("|");
  const opened = line.trimStart().startsWith("|") ? 1 : 0;
  const closed = line.trimEnd().endsWith("|") ? 1 : 0;
  const places = new Set([barsBefore, opened + fromLeft, cells.length - 1 - closed - fromRight]);
  return [...places].flatMap((place) => {
    const cell = cells[place];
    if (cell === undefined || cell.trim() === "") return [];
    const before = cells.slice(0, place).reduce((length, one) => length + one.length + 1, 0);
    return before + cell.length - cell.trimStart().length;
  });
}
