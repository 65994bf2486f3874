import { type Edit, lineEndingOf } from "./edit.ts";

/** Lines of ours in a text of somebody else, between two lines that say so. */
export interface TextBlock {
  readonly begin: string;
  readonly lines: readonly string[];
  readonly end: string;
}

/** Puts the block at the end, or in the place of an older one. */
export function putBlock(text: string, block: TextBlock): Edit {
  const eol = lineEndingOf(text);
  const written = [block.begin, ...block.lines, block.end].join(eol);
  const found = findBlock(text, block);
  if (found === undefined) {
    const gap = text === "" ? "" : text.endsWith("\n") ? eol : `${eol}${eol}`;
    return { kind: "changed", text: `${text}${gap}${written}${eol}`, replaces: false };
  }
  const changed = text.slice(0, found.start) + written + text.slice(found.end);
  return changed === text ? { kind: "unchanged" } : { kind: "changed", text: changed, replaces: false };
}

/** Takes the block out, with the line end behind it and the blank line before it. */
export function takeBlock(text: string, block: TextBlock): Edit {
  const found = findBlock(text, block);
  if (found === undefined) return { kind: "unchanged" };
  const before = text.slice(0, found.start).replace(/(\n)\r?\n$/, "$1");
  const left = before + text.slice(found.end).replace(/^\r?\n/, "");
  return left.trim() === "" ? { kind: "emptied", text: left } : { kind: "changed", text: left, replaces: false };
}

function findBlock(text: string, { begin, end }: TextBlock): { start: number; end: number } | undefined {
  const start = text.indexOf(begin);
  const stop = start === -1 ? -1 : text.indexOf(end, start);
  return stop === -1 ? undefined : { start, end: stop + end.length };
}
