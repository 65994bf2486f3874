import type { Section } from "./units/split-document.ts";

/** What an answer shows of a unit. */
export interface ShownUnit {
  readonly title: string;
  readonly breadcrumb: readonly string[];
  /** Of an editor, from 1. */
  readonly lines: { readonly from: number; readonly to: number };
  readonly text: string;
}

/** The units of a document, of whose text the guard has masked what may not be shown. */
export function shownUnits(text: string, sections: readonly Section[]): ShownUnit[] {
  const lineOf = linesIn(text);
  return sections.map(({ title, breadcrumb, start, end }) => {
    const own = text.slice(start, end);
    const last = start + Math.max(0, own.trimEnd().length - 1);
    return { title, breadcrumb, lines: { from: lineOf(start), to: lineOf(last) }, text: own };
  });
}

/** Offset → line, from 1. Asked in any order. */
function linesIn(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
