import type { QuantisedRows } from "../meaning/quantise.ts";
import { pieceKinds } from "./chunk-pieces.ts";
import { type DocumentTable, readDocuments } from "./document-table.ts";
import type { PostingList } from "./posting-list.ts";
import type { ChunkRow } from "./state-rows.ts";
import { bucketCount, bucketOf, findPostings, termsOfBucket } from "./term-buckets.ts";
import { readRows } from "./vector-rows.ts";
import { readWords, type WordGroup } from "./word-table.ts";

/** Some documents of an index, as a query sees them: a chunk, or the tail. */
export interface ReadChunk {
  /** Of what is in it: where it is the same, so is that. */
  readonly id: number;
  readonly units: number;
  readonly dimensions: number;
  /** Units that are no more: the tail has a later version of their document, or knows that it is gone. */
  readonly hiddenUnits: readonly number[];
  documents(): DocumentTable;
  /** Of its terms, for what is misspelled. */
  words(): readonly WordGroup[];
  vectors(): QuantisedRows | undefined;
  postings(term: string, encoded: Uint8Array): PostingList | undefined;
}

/** A chunk that is kept. Each part is read when it is first asked for. */
export interface ChunkReader extends ReadChunk {
  readonly row: ChunkRow;
  readonly hiddenDocuments: ReadonlySet<number>;
  /** The documents of these paths are hidden, and no others. */
  hide(paths: readonly string[]): void;
  hides(path: string): boolean;
  terms(bucket: number): Generator<{ readonly term: string; readonly list: PostingList }>;
}

export function createChunkReader(row: ChunkRow, readPiece: (kind: number) => Uint8Array): ChunkReader {
  const { version, units, dimensions } = row;
  let hiddenUnits: readonly number[] = none;
  let hiddenDocuments = new Set<number>();
  let hiddenPaths = new Set<string>();
  let table: DocumentTable | undefined;
  let words: readonly WordGroup[] | undefined;

  function documents(): DocumentTable {
    table ??= readDocuments(readPiece(pieceKinds.documents));
    return table;
  }

  return {
    id: version,
    row,
    units,
    dimensions,
    get hiddenUnits() {
      return hiddenUnits;
    },
    get hiddenDocuments() {
      return hiddenDocuments;
    },
    hide(paths) {
      hiddenPaths = new Set(paths);
      hiddenDocuments = new Set(paths.map((path) => documents().find(path)).filter((document) => document >= 0));
      hiddenUnits = [...hiddenDocuments].flatMap((document) => unitsOf(documents(), document));
    },
    hides: (path) => hiddenPaths.has(path),
    documents,
    words() {
      words ??= readWords(readPiece(pieceKinds.words));
      return words;
    },
    vectors: () => (dimensions === 0 ? undefined : readRows(readPiece(pieceKinds.vectors), dimensions)),
    postings: (term, encoded) => findPostings(readPiece(bucketOf(term)), encoded),
    terms: (bucket) => termsOfBucket(readPiece(bucket)),
  };
}

const none: readonly number[] = [];

function unitsOf({ firsts }: DocumentTable, document: number): number[] {
  const first = firsts[document] as number;
  return Array.from({ length: (firsts[document + 1] as number) - first }, (_, at) => first + at);
}

export function* allTerms(chunk: ChunkReader): Generator<{ readonly term: string; readonly list: PostingList }> {
  for (let bucket = 0; bucket < bucketCount; bucket++) yield* chunk.terms(bucket);
}
