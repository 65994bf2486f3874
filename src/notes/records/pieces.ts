import type { RecordName } from "../../kernel/record-name.ts";
import { splitDocument } from "../../search/units/split-document.ts";
import { isPrintedAs } from "./print-name.ts";

/** A section of a note, or one lesson: where it stands in its document. */
export interface Piece {
  readonly title: string;
  readonly start: number;
  readonly end: number;
  /** A dated entry, not what stands above the first one or in a note. */
  readonly isLesson: boolean;
}

interface Searched {
  readonly path: string;
  readonly kind: "memory" | "topic";
  readonly content: string;
}

/** The pieces of a document as search finds them, each section and lesson as one, however long it is. */
export function piecesOf(document: Searched): Piece[] {
  const pieces: (Piece & { readonly key: string; readonly breadcrumb: readonly string[] })[] = [];
  for (const { title, breadcrumb, date, start, end } of splitDocument(document)) {
    const { kind } = document;
    const key = JSON.stringify([date, breadcrumb, title]);
    const before = pieces.at(-1);
    // A long section is several units for search.
    if (before?.key === key && before.end === start && !beginsHeading(document.content, start))
      pieces[pieces.length - 1] = { ...before, end };
    else pieces.push({ title, breadcrumb, start, end, key, isLesson: kind === "topic" && date !== undefined });
  }
  return pieces;
}

/** Those that are meant by titles or by lines; none where a name has neither. */
export function findPieces(document: Searched, { titles, lines }: Pick<RecordName, "titles" | "lines">): Piece[] {
  const asked = titles.at(-1);
  if (asked !== undefined) return piecesOf(document).filter(({ title }) => isPrintedAs(title, asked));
  if (lines === undefined) return [];
  const start = offsetOfLine(document.content, lines.from);
  if (start === undefined) return [];
  // Half a lesson is none.
  if (document.kind === "topic") return piecesOf(document).filter((one) => one.start <= start && start < one.end);
  const end = offsetOfLine(document.content, lines.to + 1) ?? document.content.length;
  return [{ title: "", start, end, isLesson: false }];
}

/** What search finds in a document: unlike a piece, a part of a long section stands for itself. */
export interface Passage {
  readonly title: string;
  /** Undefined where the document's own counts. */
  readonly date: string | undefined;
  readonly lines: { readonly from: number; readonly to: number };
}

export function passagesOf(document: Searched): Passage[] {
  return splitDocument(document).map(({ title, date, start, end }) => ({
    title,
    date,
    lines: linesOfPiece(document.content, { start, end }),
  }));
}

/** The lines of a piece, counted from 1. */
export function linesOfPiece(
  content: string,
  { start, end }: Pick<Piece, "start" | "end">,
): { readonly from: number; readonly to: number } {
  const from = content.slice(0, start).split("\n").length;
  return { from, to: from + content.slice(start, end).trimEnd().split("\n").length - 1 };
}

function offsetOfLine(content: string, line: number): number | undefined {
  let at = 0;
  for (let count = 1; count < line; count += 1) {
    at = content.indexOf("\n", at) + 1;
    if (at === 0) return undefined;
  }
  return at < content.length ? at : undefined;
}

function beginsHeading(content: string, at: number): boolean {
  return /^ {0,3}#{1,6}[ \t]/.test(content.slice(at, at + 12));
}
