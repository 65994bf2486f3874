import type { Token } from "marked";

/** A note, taken apart to be shown. */
export interface NoteParts {
  readonly frontMatter: string | undefined;
  /** In the order of the note. They come one by one, so that a long one does not stop the page. */
  readonly chunks: readonly NoteChunk[];
  /** Past this line the note is not taken apart: it has more parts than a page can hold. */
  readonly endsAtLine: number | undefined;
}

export interface NoteChunk {
  readonly tokens: readonly Token[];
  /** Those of the headings among the tokens. */
  readonly headings: readonly NoteHeading[];
}

export interface NoteHeading {
  readonly id: string;
  /** 2 to 6, none left out on the way down. */
  readonly level: number;
  readonly text: string;
  /** Counted from 1, in the whole text. */
  readonly line: number;
}

export interface NoteOptions {
  /** The level of the page's heading that the note's own stand below. */
  readonly below?: number;
  /** Whether a single line break is one. */
  readonly breaks?: boolean;
}

/** What a token says, without its marks. */
export function textOf(token: Token): string {
  if ("tokens" in token && token.tokens !== undefined) return token.tokens.map(textOf).join("");
  return "text" in token ? String(token["text"]) : token.raw;
}
