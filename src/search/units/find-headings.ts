import { closesFence, fenceOpenedBy } from "../../text/markdown-lines.ts";
import { createCodeDetails, type TextRange } from "./code-details.ts";
import { type HeadingText, longestTitle, readHeading, readUnderlined } from "./read-heading.ts";

/** A heading and where it stands. */
export interface Heading extends HeadingText {
  readonly start: number;
  /** Where the text below it begins. */
  readonly body: number;
}

export interface Outline {
  readonly headings: readonly Heading[];
  /** Nothing in them is a heading, and they are not cut. */
  readonly fences: readonly TextRange[];
  /** Code past its first lines. */
  readonly details: readonly TextRange[];
}

interface Line {
  readonly start: number;
  /** Without its newline. */
  readonly end: number;
  readonly next: number;
}

const tab = 9;
const hash = 35;
const star = 42;
const dash = 45;
const equals = 61;
const backtick = 96;
const tilde = 126;

/** The headings of a text outside its code fences, and the fences. */
export function findOutline(content: string, from: number, opening: RegExp): Outline {
  const headings: Heading[] = [];
  const fences: TextRange[] = [];
  const details = createCodeDetails();
  let fence: { readonly marks: string; readonly start: number } | undefined;
  /** The line above, where it is the first of a paragraph. */
  let above: Line | undefined;
  let isInParagraph = false;

  const textOf = ({ start, end }: Line): string => content.slice(start, end);

  function takeInFence(line: Line, mark: number, marks: string, start: number): void {
    if (mark !== marks.charCodeAt(0) || !closesFence(textOf(line), marks)) return;
    fences.push({ start, end: line.next });
    details.end(line.start);
    fence = undefined;
  }

  function takeHeading(line: Line): boolean {
    const heading = readHeading(textOf(line));
    if (heading) headings.push({ ...heading, start: line.start, body: line.next });
    return heading !== undefined;
  }

  function takeUnderline(line: Line): boolean {
    if (!above || above.end - above.start > longestTitle) return false;
    const heading = readUnderlined(textOf(above), textOf(line));
    if (heading) headings.push({ ...heading, start: above.start, body: line.next });
    return heading !== undefined;
  }

  function takeFence(line: Line): boolean {
    const marks = fenceOpenedBy(textOf(line), opening);
    if (marks === undefined) return false;
    fence = { marks, start: line.start };
    details.end(line.start);
    return true;
  }

  function takesOutOfParagraph(line: Line, mark: number): boolean {
    if (mark === 0) return true;
    if (mark === hash) return takeHeading(line);
    if (mark === backtick || mark === tilde || mark === star) return takeFence(line);
    return (mark === dash || mark === equals) && takeUnderline(line);
  }

  for (let start = from; start < content.length; ) {
    const found = content.indexOf("\n", start);
    const end = found === -1 ? content.length : found;
    const line = { start, end, next: Math.min(end + 1, content.length) };
    const first = firstMark(content, start, end);
    const mark = first === end ? 0 : content.charCodeAt(first);
    if (mark !== 0)
      details.take(start, mark, content.charCodeAt(start) === tab ? 4 : first - start, fence !== undefined);
    if (fence) takeInFence(line, mark, fence.marks, fence.start);
    else {
      const isOut = takesOutOfParagraph(line, mark);
      above = isOut || isInParagraph ? undefined : line;
      isInParagraph = !isOut;
    }
    start = end + 1;
  }
  details.end(content.length);
  if (fence) fences.push({ start: fence.start, end: content.length });
  return { headings, fences, details: details.found };
}

/** Where the first character of a part of a text is that is no blank; its end where there is none. */
export function firstMark(content: string, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(content.charCodeAt(at))) at += 1;
  return at;
}

function isBlank(unit: number): boolean {
  return unit === 32 || unit === tab || unit === 10 || unit === 13;
}
