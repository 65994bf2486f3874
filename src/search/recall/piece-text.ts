import { readUnderlined } from "../units/read-heading.ts";
import { onOneLine, withoutFrames } from "./one-line.ts";

/** A unit's text as it is embedded: without its heading, which stands above it, and without what cannot be shown. */
export function toPieceText(text: string, title: string): string {
  const lines = trimmed(
    text
      .toWellFormed()
      .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
      .map((line) => line.replaceAll(/[^\P{Cc}\t]|\p{Bidi_Control}/gu, "").trimEnd()),
  );
  const body = trimmed(lines.slice(headingLines(lines, title)));
  // The rule that ends an entry.
  const shown = /^-{3,}$/.test(body.at(-1) ?? "") ? trimmed(body.slice(0, -1)) : body;
  const once = shown.filter((line, at) => line !== "" || shown[at - 1] !== "");
  return withoutFrames(once.join("\n") || onOneLine(title, 200));
}

function trimmed(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== "");
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== "") + 1);
}

function headingLines([first = "", second = ""]: readonly string[], title: string): number {
  if (title === "" || !first.includes(title)) return 0;
  if (/^ {0,3}#{1,6}[ \t]/.test(first)) return 1;
  return readUnderlined(first, second) === undefined ? 0 : 2;
}
