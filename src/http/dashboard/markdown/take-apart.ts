import { Lexer, type Token } from "marked";
import { lighten } from "./lighten.ts";
import { type NoteChunk, type NoteHeading, type NoteOptions, type NoteParts, textOf } from "./note-parts.ts";

/** So many tokens are put into the page at once: a few dozen milliseconds. */
const chunkTokens = 1000;
/** A table or a paragraph of more is shown as it was written. */
const largestBlock = 4000;
/** A page of more is slow however it is made. */
const mostTokens = 30_000;
const longestHeading = 200;

const frontMatter = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** Slow on some texts that nobody but an attacker writes: it runs where it can be stopped. Undefined where the text is nested too deeply. */
export function takeApart(content: string, { below = 1, breaks = false }: NoteOptions = {}): NoteParts | undefined {
  const matter = frontMatter.exec(content);
  const body = matter === null ? content : content.slice(matter[0].length);
  try {
    const tokens = new Lexer({ gfm: true, breaks }).lex(body);
    return { frontMatter: matter?.[1], ...chunksOf(tokens, below, 1 + linesIn(matter?.[0] ?? "")) };
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
  for (const token of tokens) {
    if (total > mostTokens) {
      close();
      return { chunks, endsAtLine: line };
    }
    if (token.type === "heading") {
      const text = textOf(token).slice(0, longestHeading);
      open.headings.push({ id: `heading-${headings}`, level: levelOf(Number(token["depth"])), text, line });
      headings += 1;
    }
    line += linesIn(token.raw);
    for (const [block, weight] of blocksOf(token)) {
      open.tokens.push(block);
      open.weight += weight;
      total += weight;
      if (open.weight >= chunkTokens) close();
    }
  }
  close();
  return { chunks, endsAtLine: undefined };
}

/** A token and how many are in it. A long list is several that follow each other. */
function blocksOf(token: Token): readonly (readonly [Token, number])[] {
  const { raw } = token;
  if (token.type !== "list") {
    const weight = lighten(token);
    return weight > largestBlock ? [[{ type: "code", raw: "", text: raw }, 1]] : [[token, weight]];
  }
  const blocks: [Token, number][] = [];
  const { items, start } = token as Token & { items: Token[]; start: number | "" };
  let [from, weight] = [0, 0];
  const cut = (end: number) => {
    if (end === from) return;
    const number = typeof start === "number" ? start + from : start;
    blocks.push([{ ...token, raw: "", items: items.slice(from, end), start: number }, weight]);
    [from, weight] = [end, 0];
  };
  for (const [index, item] of items.entries()) {
    const text = item.raw;
    const itemWeight = lighten(item, 1);
    if (itemWeight > largestBlock) Object.assign(item, { tokens: [{ type: "code", raw: "", text }] });
    weight += itemWeight > largestBlock ? 1 : itemWeight;
    if (weight >= chunkTokens) cut(index + 1);
  }
  cut(items.length);
  return blocks;
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

function linesIn(text: string): number {
  return text.split("\n").length - 1;
}
