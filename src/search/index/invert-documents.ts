import { TermImpacts } from "../term-impacts.ts";
import type { IndexedUnit } from "../unit.ts";
import { dateNumber } from "./date-number.ts";
import { packDocuments } from "./document-table.ts";
import type { IndexedDocument } from "./index-change.ts";
import { maxUnits, packPosting } from "./posting-list.ts";
import { type Piece, pieceKinds, type SegmentImage } from "./segment-image.ts";
import { type PackedUnits, packShown } from "./shown-rows.ts";
import { sortTerms } from "./sort-terms.ts";
import { createTermPacker } from "./term-blocks.ts";
import { packVectors, rowsInChunk } from "./vector-rows.ts";
import { packWords } from "./word-table.ts";

/** Documents as one segment, before it has a number. */
interface InvertedDocuments {
  readonly image: SegmentImage;
  /** Ascending by path, as in the image. */
  readonly documents: readonly InvertedDocument[];
  readonly shown: PackedUnits;
}

interface InvertedDocument extends Pick<IndexedDocument, "path" | "folder" | "stamp"> {
  readonly units: number;
}

/** Makes a segment of documents: each path once, the last one. */
export function invertDocuments(put: readonly IndexedDocument[]): InvertedDocuments {
  const documents = sortedByPath(put);
  return {
    image: imageOf(documents),
    documents: documents.map(({ path, folder, stamp, units }) => ({
      path,
      folder,
      stamp,
      units: units.length,
    })),
    shown: packShown(documents.flatMap(({ shown }) => shown)),
  };
}

/** Ascending, since units of equal score are told apart by their place. */
function sortedByPath(documents: readonly IndexedDocument[]): IndexedDocument[] {
  const byPath = new Map(documents.map((document) => [document.path, document]));
  return [...byPath.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
}

function imageOf(documents: readonly IndexedDocument[]): SegmentImage {
  const units = documents.flatMap((document) => document.units);
  if (units.length > maxUnits) throw new RangeError(`A segment holds at most ${maxUnits} units.`);
  const vectors = documents.flatMap((document) => document.units.map((_, index) => document.vectors?.[index]));
  const dimensions = vectors.find((vector) => vector)?.length ?? 0;
  const rows = documents.map(({ path, modified, kind, flagged, units: own }) => ({
    path,
    modified,
    kind,
    flagged,
    dates: own.map((unit) => dateNumber(unit.date)),
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

function termPieces(units: readonly IndexedUnit[]): Piece[] {
  const { terms, starts, packed } = sortByTerm(units.map((unit) => TermImpacts.of(unit.terms)));
  const packer = createTermPacker();
  const sorted: string[] = [];
  for (const id of sortTerms(terms)) {
    const term = terms[id] as string;
    sorted.push(term);
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
function sortByTerm(units: readonly TermImpacts[]): SortedPostings {
  const { ids, terms } = numberTerms(units);
  if (terms.some((term) => !term.isWellFormed())) return sortByTerm(units.map(wellFormed));
  const starts = new Uint32Array(terms.length + 1);
  for (let index = 0; index < ids.length; index++) {
    const next = (ids[index] as number) + 1;
    starts[next] = (starts[next] as number) + 1;
  }
  for (let id = 0; id < terms.length; id++) starts[id + 1] = (starts[id + 1] as number) + (starts[id] as number);
  const places = starts.slice();
  const packed = new Uint32Array(ids.length);
  let index = 0;
  for (const [number, { impacts, from, to }] of units.entries()) {
    for (let at = from; at < to; at++) {
      const id = ids[index++] as number;
      const place = places[id] as number;
      places[id] = place + 1;
      packed[place] = packPosting(number, impacts[at] as number);
    }
  }
  return { terms, starts, packed };
}

/** Half a character pair is not kept by any encoding: it becomes the sign for what is unknown, here and in queries. */
function wellFormed(unit: TermImpacts): TermImpacts {
  const terms = new Map<string, number>();
  for (const [term, impact] of unit) {
    const clean = term.toWellFormed();
    terms.set(clean, Math.max(impact, terms.get(clean) ?? 0));
  }
  return TermImpacts.of(terms);
}

/** The terms of all units, each once, and for each posting which of them it is of. */
function numberTerms(units: readonly TermImpacts[]) {
  const ids = new Uint32Array(units.reduce((sum, unit) => sum + unit.size, 0));
  const terms: string[] = [];
  /** For each list of words, what they are here, plus one: units that share a list look words up by number. */
  const tables = new Map<readonly string[], Uint32Array>();
  /** Needed only where there are several lists, which is seldom. */
  let known: Map<string, number> | undefined;
  const tableOf = (words: readonly string[]) => {
    const table = tables.get(words) ?? new Uint32Array(words.length);
    tables.set(words, table);
    if (tables.size > 1) known ??= new Map(terms.map((term, id) => [term, id]));
    return table;
  };
  const idOf = (term: string) => {
    const id = known?.get(term) ?? terms.length;
    if (id < terms.length) return id;
    known?.set(term, id);
    terms.push(term);
    return id;
  };
  let index = 0;
  for (const { words, numbers, from, to } of units) {
    const table = tableOf(words);
    for (let at = from; at < to; at++) {
      const number = numbers[at] as number;
      if (table[number] === 0) table[number] = idOf(words[number] as string) + 1;
      ids[index++] = (table[number] as number) - 1;
    }
  }
  return { ids, terms };
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
