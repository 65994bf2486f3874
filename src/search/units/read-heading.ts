import { parseEntryHeading } from "../../text/markdown-lines.ts";

export interface HeadingText {
  readonly level: number;
  readonly title: string;
  /** YYYY-MM-DD, of one that begins an entry. */
  readonly date: string | undefined;
}

// None of these can backtrack, and each sees one line: a clone may bring lines of a megabyte.
const marks = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const underline = /^ {0,3}(?:=+|-{2,})[ \t]*$/;
/** A line that begins a list, a quote, a table or indented code is no heading, whatever stands below it. */
const noParagraph = /^(?: {4}|\t| {0,3}(?:[-*+>|]|\d{1,9}[.)](?:[ \t]|$)))/;
export const longestTitle = 300;

/** `## 2026-05-01: Title` or `## Title ##` */
export function readHeading(given: string): HeadingText | undefined {
  const line = given.trimEnd();
  const entry = parseEntryHeading(line);
  if (entry) return { level: 2, title: entry.title.slice(0, longestTitle), date: entry.date };
  const match = marks.exec(line);
  if (!match) return undefined;
  const title = withoutClosing(line.slice(match[0].length).trim());
  return { level: match[1]?.length ?? 1, title: title.slice(0, longestTitle), date: undefined };
}

function withoutClosing(title: string): string {
  let end = title.length;
  while (end > 0 && title[end - 1] === "#") end -= 1;
  if (end === title.length) return title;
  return end === 0 || title[end - 1] === " " || title[end - 1] === "\t" ? title.slice(0, end).trimEnd() : title;
}

/** A line of text and one of `===` or `---` below it. */
export function readUnderlined(above: string, below: string): HeadingText | undefined {
  if (!underline.test(below.trimEnd()) || noParagraph.test(above)) return undefined;
  return { level: below.trimStart().startsWith("=") ? 1 : 2, title: above.trim(), date: undefined };
}
