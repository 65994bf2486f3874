import type { Token } from "marked";
import { linesIn, weightAsWritten } from "./block-weight.ts";
import { lighten } from "./lighten.ts";

/** What is put into the page as a whole. */
interface NoteBlock {
  readonly token: Token;
  readonly weight: number;
  /** How many lines of the note it is. */
  readonly lines: number;
}

/** So much is put into the page at once: a few dozen milliseconds. */
export const chunkWeight = 1000;
/** A table or a paragraph of more is shown as it was written. */
const largestBlock = 4000;
/** Of a text as it was written; a longer line goes on in the next block, since a page stops at one of a megabyte. */
const linesAtOnce = 8000;
const lettersAtOnce = 100_000;

/** A token as blocks that follow each other: a long list is several, and so is a long text that is shown as it was written. */
export function blocksOf(token: Token): readonly NoteBlock[] {
  const { raw } = token;
  if (token.type === "list") return blocksOfList(token as Token & { items: Token[]; start: number | "" });
  if (token.type === "code") return asWritten(String(token["text"]));
  const weight = lighten(token);
  return weight > largestBlock ? asWritten(raw) : [{ token, weight, lines: linesIn(raw) }];
}

function blocksOfList(list: Token & { items: Token[]; start: number | "" }): NoteBlock[] {
  const blocks: NoteBlock[] = [];
  const { items, start } = list;
  let [from, weight, lines] = [0, 0, 0];
  const cut = (end: number) => {
    const number = typeof start === "number" ? start + from : start;
    if (end > from) {
      blocks.push({ token: { ...list, raw: "", items: items.slice(from, end), start: number }, weight, lines });
    }
    [from, weight, lines] = [end, 0, 0];
  };
  for (const [index, item] of items.entries()) {
    const { raw } = item;
    const itemWeight = lighten(item, 1);
    if (itemWeight > largestBlock) {
      cut(index);
      blocks.push(...asWritten(raw));
      from = index + 1;
      continue;
    }
    weight += itemWeight;
    lines += linesIn(raw);
    if (weight >= chunkWeight) cut(index + 1);
  }
  cut(items.length);
  return blocks;
}

function asWritten(text: string): NoteBlock[] {
  const blocks: NoteBlock[] = [];
  const lines = text.split("\n").flatMap(piecesOf);
  let [from, letters] = [0, 0];
  for (const [index, line] of lines.entries()) {
    letters += line.length;
    const end = index + 1;
    if (end < lines.length && end - from < linesAtOnce && letters < lettersAtOnce) continue;
    const written = lines.slice(from, end).join("\n");
    blocks.push({
      token: { type: "code", raw: "", text: written },
      weight: weightAsWritten(written),
      lines: end - from,
    });
    [from, letters] = [end, 0];
  }
  return blocks;
}

function piecesOf(line: string): string[] {
  if (line.length <= lettersAtOnce) return [line];
  return Array.from({ length: Math.ceil(line.length / lettersAtOnce) }, (_, piece) =>
    line.slice(piece * lettersAtOnce, (piece + 1) * lettersAtOnce),
  );
}
