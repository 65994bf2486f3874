import { Lexer, type Token } from "marked";

/** A note, taken apart to be shown. */
export interface NoteParts {
  readonly frontMatter: string | undefined;
  readonly tokens: readonly Token[];
  readonly headings: readonly NoteHeading[];
}

interface NoteHeading {
  readonly id: string;
  /** 2 to 6, none left out on the way down. */
  readonly level: number;
  readonly text: string;
  /** Counted from 1, in the whole text. */
  readonly line: number;
}

const frontMatter = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

export interface NoteOptions {
  /** The level of the page's heading that the note's own stand below. */
  readonly below?: number;
  /** Whether a single line break is one. */
  readonly breaks?: boolean;
}

/** Undefined where the text is nested too deeply to be taken apart. */
export function takeApart(content: string, { below = 1, breaks = false }: NoteOptions = {}): NoteParts | undefined {
  const matter = frontMatter.exec(content);
  const body = matter === null ? content : content.slice(matter[0].length);
  try {
    const tokens = new Lexer({ gfm: true, breaks }).lex(body);
    const firstLine = 1 + linesIn(matter?.[0] ?? "");
    return { frontMatter: matter?.[1], tokens, headings: headingsOf(tokens, below, firstLine) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The headings at the top of a note, where an outline leads. Levels follow the page's own, without a gap. */
function headingsOf(tokens: readonly Token[], below: number, firstLine: number): NoteHeading[] {
  const headings: NoteHeading[] = [];
  const open: { depth: number; level: number }[] = [];
  let line = firstLine;
  for (const token of tokens) {
    const start = line;
    line += linesIn(token.raw);
    if (token.type !== "heading") continue;
    const depth = Number(token["depth"]);
    while (open.length > 0 && (open.at(-1)?.depth ?? 0) >= depth) open.pop();
    const level = Math.min((open.at(-1)?.level ?? below) + 1, 6);
    open.push({ depth, level });
    headings.push({ id: `heading-${headings.length}`, level, text: textOf(token), line: start });
  }
  return headings;
}

function linesIn(text: string): number {
  return text.split("\n").length - 1;
}

/** What a token says, without its marks. */
export function textOf(token: Token): string {
  if ("tokens" in token && token.tokens !== undefined) return token.tokens.map(textOf).join("");
  return "text" in token ? String(token["text"]) : token.raw;
}
