import type { WeighedUnit } from "../unit.ts";
import { dateNumber } from "./date-number.ts";
import { packDocuments } from "./document-table.ts";
import type { IndexedDocument } from "./index-change.ts";
import { maxUnits, packPosting } from "./posting-list.ts";
import { type Piece, pieceKinds, type SegmentImage } from "./segment-image.ts";
import { createTermPacker } from "./term-blocks.ts";
import { packVectors, rowsInChunk } from "./vector-rows.ts";
import { packWords } from "./word-table.ts";

/** Makes a segment of documents that are ascending by path. */
export function invertDocuments(documents: readonly IndexedDocument[]): SegmentImage {
  const units = documents.flatMap((document) => document.units);
  if (units.length > maxUnits) throw new RangeError(`A segment holds at most ${maxUnits} units.`);
  const vectors = documents.flatMap((document) => document.units.map((_, index) => document.vectors?.[index]));
  const dimensions = vectors.find((vector) => vector)?.length ?? 0;
  const rows = documents.map((document) => ({
    ...document,
    dates: document.units.map((unit) => dateNumber(unit.date)),
  }));
  return {
    documents: documents.length,
    units: units.length,
    dimensions,
    pieces: [
      ...termPieces(units),
      { kind: pieceKinds.documents, number: 0, bytes: packDocuments(rows) },
      ...vectorPieces(vectors, dimensions),
    ],
  };
}

/** Half a character pair is not kept by any encoding: it becomes the sign for what is unknown, here and in queries. */
function wellFormed(unit: WeighedUnit): WeighedUnit {
  const terms = new Map<string, number>();
  for (const [term, impact] of unit.terms) {
    const clean = term.toWellFormed();
    terms.set(clean, Math.max(impact, terms.get(clean) ?? 0));
  }
  return { ...unit, terms };
}

function termPieces(units: readonly WeighedUnit[]): Piece[] {
  const { terms, starts, packed } = sortByTerm(units);
  const ids = new Map(terms.map((term, id) => [term, id]));
  const sorted = [...terms].sort();
  const packer = createTermPacker();
  for (const term of sorted) {
    const id = ids.get(term) as number;
    packer.add(term, packed, starts[id] as number, starts[id + 1] as number);
  }
  return packedPieces(packer.finish(), sorted);
}

export function packedPieces(
  { blocks, firsts }: { readonly blocks: readonly Uint8Array[]; readonly firsts: Uint8Array },
  terms: readonly string[],
): Piece[] {
  return [
    ...blocks.map((bytes, number) => ({ kind: pieceKinds.block, number, bytes })),
    { kind: pieceKinds.firsts, number: 0, bytes: firsts },
    { kind: pieceKinds.words, number: 0, bytes: packWords(terms) },
  ];
}

interface SortedPostings {
  readonly terms: readonly string[];
  /** Where the postings of each term begin, and at the end where the last ones end. */
  readonly starts: Uint32Array;
  readonly packed: Uint32Array;
}

/** Counts how often each term comes, then puts each posting where its term's begin: two passes, no list per term. */
function sortByTerm(units: readonly WeighedUnit[]): SortedPostings {
  const total = units.reduce((sum, unit) => sum + unit.terms.size, 0);
  const { ids, impacts, terms } = numberTerms(units, total);
  if (terms.some((term) => !term.isWellFormed())) return sortByTerm(units.map(wellFormed));
  const starts = new Uint32Array(terms.length + 1);
  for (let index = 0; index < total; index++) {
    const next = (ids[index] as number) + 1;
    starts[next] = (starts[next] as number) + 1;
  }
  for (let id = 0; id < terms.length; id++) starts[id + 1] = (starts[id + 1] as number) + (starts[id] as number);
  const places = starts.slice();
  const packed = new Uint32Array(total);
  let index = 0;
  units.forEach((unit, number) => {
    for (let left = unit.terms.size; left > 0; left--) {
      const id = ids[index] as number;
      const place = places[id] as number;
      places[id] = place + 1;
      packed[place] = packPosting(number, impacts[index] as number);
      index++;
    }
  });
  return { terms, starts, packed };
}

function numberTerms(units: readonly WeighedUnit[], total: number) {
  const ids = new Uint32Array(total);
  const impacts = new Uint8Array(total);
  const known = new Map<string, number>();
  let index = 0;
  for (const unit of units) {
    // A pair for each of millions would be made by `for … of`.
    unit.terms.forEach((impact, term) => {
      let id = known.get(term);
      if (id === undefined) {
        id = known.size;
        known.set(term, id);
      }
      ids[index] = id;
      impacts[index++] = impact;
    });
  }
  return { ids, impacts, terms: [...known.keys()] };
}

function vectorPieces(vectors: readonly (Float32Array | undefined)[], dimensions: number): Piece[] {
  const pieces: Piece[] = [];
  if (dimensions === 0) return pieces;
  for (let start = 0; start < vectors.length; start += rowsInChunk) {
    const part = vectors.slice(start, start + rowsInChunk);
    if (part.some((vector) => vector && vector.length !== dimensions)) {
      throw new RangeError("All vectors of an index have the same length.");
    }
    pieces.push({ kind: pieceKinds.vectors, number: start / rowsInChunk, bytes: packVectors(part, dimensions) });
  }
  return pieces;
}
