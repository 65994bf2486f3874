import { Lexer, type Token } from "marked";
import { splitFrontMatter } from "../../../text/front-matter.ts";
import { linesIn } from "./block-weight.ts";
import { blocksOf, chunkWeight } from "./blocks-of.ts";
import { type NoteChunk, type NoteHeading, type NoteOptions, type NoteParts, textOf } from "./note-parts.ts";

/** A page of more is slow however it is made. */
const mostWeight = 30_000;
const longestHeading = 200;

/** Slow on some texts that nobody but an attacker writes: it runs where it can be stopped. Undefined where the text is nested too deeply. */
export function takeApart(content: string, { below = 1, breaks = false }: NoteOptions = {}): NoteParts | undefined {
  const { frontMatter, lines, body } = splitFrontMatter(content);
  try {
    const tokens = new Lexer({ gfm: true, breaks }).lex(body);
    return { frontMatter: lines?.join("\n"), ...chunksOf(tokens, below, 1 + linesIn(frontMatter)) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function chunksOf(
  tokens: readonly Token[],
  below: number,
  firstLine: number,
): { readonly chunks: readonly NoteChunk[]; readonly endsAtLine: number | undefined } {
  const chunks: NoteChunk[] = [];
  const levelOf = createLevels(below);
  let open: { tokens: Token[]; headings: NoteHeading[]; weight: number } = { tokens: [], headings: [], weight: 0 };
  let [line, total, headings] = [firstLine, 0, 0];
  const close = () => {
    if (open.tokens.length > 0) chunks.push({ tokens: open.tokens, headings: open.headings });
    open = { tokens: [], headings: [], weight: 0 };
  };
  const end = (endsAtLine?: number) => {
    close();
    return { chunks, endsAtLine };
  };
  for (const token of tokens) {
    if (total > mostWeight) return end(line);
    const { raw } = token;
    const blocks = blocksOf(token);
    // Not one that is so long that it is shown as it was written.
    if (token.type === "heading" && blocks[0]?.token === token) {
      const text = textOf(token).slice(0, longestHeading);
      open.headings.push({ id: `heading-${headings}`, level: levelOf(Number(token["depth"])), text, line });
      headings += 1;
    }
    let lines = 0;
    for (const block of blocks) {
      if (total > mostWeight) return end(line + lines);
      open.tokens.push(block.token);
      open.weight += block.weight;
      total += block.weight;
      lines += block.lines;
      if (open.weight >= chunkWeight) close();
    }
    line += linesIn(raw);
  }
  return end();
}

/** The levels of headings follow the page's own, without a gap. */
function createLevels(below: number): (depth: number) => number {
  const open: { depth: number; level: number }[] = [];
  return (depth) => {
    while (open.length > 0 && (open.at(-1)?.depth ?? 0) >= depth) open.pop();
    const level = Math.min((open.at(-1)?.level ?? below) + 1, 6);
    open.push({ depth, level });
    return level;
  };
}
