import type { QuantisedRows } from "../meaning/quantise.ts";
import { type DocumentTable, readDocuments } from "./document-table.ts";
import type { PostingList } from "./posting-list.ts";
import { type PieceKind, pieceKinds } from "./segment-image.ts";
import type { DeadDocument, SegmentRow } from "./segment-rows.ts";
import { blockOf, findPostings, readFirsts, type TermBlock, termsOfBlock } from "./term-blocks.ts";
import { readRows, rowsInChunk } from "./vector-rows.ts";
import { readWords, type WordGroup } from "./word-table.ts";

/** A segment as a query sees it. */
export interface ReadSegment {
  readonly id: number;
  readonly units: number;
  readonly dimensions: number;
  /** In the order in which they were noticed, so that what was counted before need not be counted again. */
  readonly deadUnits: readonly number[];
  documents(): DocumentTable;
  words(): readonly WordGroup[];
  vectors(): Generator<QuantisedRows>;
}

/** A segment, of which nothing changes but which documents are dead; each part is read when it is first asked for. */
export interface SegmentReader extends ReadSegment {
  row: SegmentRow;
  readonly deadDocuments: Set<number>;
  bury(dead: Iterable<DeadDocument>): void;
  postings(term: string, encoded: Uint8Array): PostingList | undefined;
  terms(): Generator<{ readonly term: string; readonly list: PostingList }>;
}

export function createSegmentReader(
  row: SegmentRow,
  readPiece: (segment: number, kind: PieceKind, number: number) => Uint8Array,
  /** The same for blocks, of which those are remembered that were read lately. */
  readBlock: (segment: number, number: number) => TermBlock,
): SegmentReader {
  const { id, units, dimensions } = row;
  const deadUnits: number[] = [];
  const deadDocuments = new Set<number>();
  let table: DocumentTable | undefined;
  let firsts: readonly string[] | undefined;
  let words: readonly WordGroup[] | undefined;

  function blockFirsts(): readonly string[] {
    firsts ??= readFirsts(readPiece(id, pieceKinds.firsts, 0));
    return firsts;
  }

  return {
    id,
    units,
    dimensions,
    row,
    deadUnits,
    deadDocuments,
    bury(dead) {
      for (const { document, first, units: count } of dead) {
        if (deadDocuments.has(document)) continue;
        deadDocuments.add(document);
        for (let unit = first; unit < first + count; unit++) deadUnits.push(unit);
      }
    },
    documents() {
      table ??= readDocuments(readPiece(id, pieceKinds.documents, 0), id);
      return table;
    },
    words() {
      words ??= readWords(readPiece(id, pieceKinds.words, 0));
      return words;
    },
    postings(term, encoded) {
      const block = blockOf(blockFirsts(), term);
      return block < 0 ? undefined : findPostings(readBlock(id, block), encoded);
    },
    *terms() {
      for (let block = 0; block < blockFirsts().length; block++) {
        yield* termsOfBlock(readPiece(id, pieceKinds.block, block));
      }
    },
    *vectors() {
      if (dimensions === 0) return;
      for (let chunk = 0; chunk * rowsInChunk < units; chunk++) {
        yield readRows(readPiece(id, pieceKinds.vectors, chunk), dimensions);
      }
    },
  };
}
