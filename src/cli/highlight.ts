import type { Snippet } from "../index.ts";
import { type Io, printable } from "./output.ts";

/** How parts of an answer stand out on a terminal; elsewhere they are plain. All that comes out is safe to print. */
export interface Style {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly marked: (snippet: Snippet) => string;
}

const [bold, dim, found, off] = ["\u001b[1m", "\u001b[2m", "\u001b[1;31m", "\u001b[0m"];

export function styleOf(io: Io): Style {
  const env = io.place?.env ?? process.env;
  const isPlain = !io.terminal || (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  const within = (sign: string) => (text: string) => (isPlain ? printable(text) : `${sign}${printable(text)}${off}`);
  return { strong: within(bold), faint: within(dim), marked: (snippet) => toMarked(snippet, within(found)) };
}

/** Piece by piece, since what is made harmless can get longer. */
function toMarked({ text, marks }: Snippet, mark: (text: string) => string): string {
  let [marked, at] = ["", 0];
  for (const { from, to } of marks) {
    marked += printable(text.slice(at, from)) + mark(text.slice(from, to));
    at = to;
  }
  return marked + printable(text.slice(at));
}
