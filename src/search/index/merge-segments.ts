import { type DocumentRow, packDocuments } from "./document-table.ts";
import { packedPieces } from "./invert-documents.ts";
import { copyRenumbered, type PostingList } from "./posting-list.ts";
import { type Piece, pieceKinds, type SegmentImage } from "./segment-image.ts";
import type { SegmentReader } from "./segment-reader.ts";
import { createTermPacker } from "./term-blocks.ts";
import { packRows, rowsInChunk } from "./vector-rows.ts";

export interface MergedSegments {
  readonly image: SegmentImage;
  /** For each source, the new number of each document and its first unit; −1 where it was dead already. */
  readonly documents: readonly Int32Array[];
  readonly firsts: Uint32Array;
}

interface Numbering {
  readonly rows: readonly DocumentRow[];
  readonly documents: readonly Int32Array[];
  readonly units: readonly Int32Array[];
  readonly firsts: Uint32Array;
  readonly unitCount: number;
}

const termsInStep = 256;

/** One segment of the living documents of several, as if they had been indexed together; yields now and then. */
export function* mergeSegments(sources: readonly SegmentReader[]): Generator<undefined, MergedSegments> {
  const numbering = numberDocuments(sources);
  yield undefined;
  const terms = yield* mergeTerms(sources, numbering.units);
  const dimensions = Math.max(0, ...sources.map((source) => source.dimensions));
  const vectors = yield* mergeVectors(sources, numbering, dimensions);
  const documents: Piece = { kind: pieceKinds.documents, number: 0, bytes: packDocuments(numbering.rows) };
  return {
    image: {
      documents: numbering.rows.length,
      units: numbering.unitCount,
      dimensions,
      pieces: [...terms, documents, ...vectors],
    },
    documents: numbering.documents,
    firsts: numbering.firsts,
  };
}

/** Living documents by path, as when they are indexed together. */
function numberDocuments(sources: readonly SegmentReader[]): Numbering {
  const living = sources.flatMap((source, index) => livingDocuments(source, index));
  living.sort((left, right) => (left.path < right.path ? -1 : 1));
  const documents = sources.map((source) => new Int32Array(source.row.documents).fill(-1));
  const units = sources.map((source) => new Int32Array(source.units).fill(-1));
  const firsts = new Uint32Array(living.length + 1);
  let next = 0;
  living.forEach(({ source, document, first, dates }, number) => {
    (documents[source] as Int32Array)[document] = number;
    firsts[number] = next;
    const renumber = units[source] as Int32Array;
    for (let unit = 0; unit < dates.length; unit++) renumber[first + unit] = next++;
  });
  firsts[living.length] = next;
  return { rows: living, documents, units, firsts, unitCount: next };
}

function livingDocuments(reader: SegmentReader, source: number) {
  const table = reader.documents();
  const found: (DocumentRow & { readonly source: number; readonly document: number; readonly first: number })[] = [];
  for (let document = 0; document < table.count; document++) {
    if (reader.deadDocuments.has(document)) continue;
    const first = table.firsts[document] as number;
    found.push({
      source,
      document,
      first,
      path: table.path(document),
      modified: table.modified(document),
      kind: table.kind(document),
      flagged: table.flagged(document),
      shownAt: table.shownAt(document),
      dates: table.dates.subarray(first, table.firsts[document + 1]),
    });
  }
  return found;
}

interface Head {
  readonly source: number;
  readonly terms: Generator<{ readonly term: string; readonly list: PostingList }>;
  current: { readonly term: string; readonly list: PostingList } | undefined;
}

function* mergeTerms(
  sources: readonly SegmentReader[],
  renumber: readonly Int32Array[],
): Generator<undefined, readonly Piece[]> {
  const heads: Head[] = sources.map((reader, source) => ({ source, terms: reader.terms(), current: undefined }));
  for (const head of heads) advance(head);
  const packer = createTermPacker();
  const words: string[] = [];
  let packed = new Uint32Array(4096);
  for (let term = leastTerm(heads), step = 1; term !== undefined; term = leastTerm(heads), step++) {
    const same = heads.filter((head) => head.current?.term === term);
    const most = same.reduce((sum, head) => sum + (head.current?.list.count ?? 0), 0);
    if (most > packed.length) packed = new Uint32Array(most * 2);
    const end = gather(same, renumber, packed);
    if (end > 0) {
      packer.add(term, packed, 0, end);
      words.push(term);
    }
    if (step % termsInStep === 0) yield undefined;
  }
  return packedPieces(packer.finish(), words);
}

/** The living postings of one term under their new numbers, ascending; the heads move on. */
function gather(heads: readonly Head[], renumber: readonly Int32Array[], packed: Uint32Array): number {
  let end = 0;
  for (const head of heads) {
    if (head.current) end = copyRenumbered(head.current.list, renumber[head.source] as Int32Array, packed, end);
    advance(head);
  }
  if (heads.length > 1) packed.subarray(0, end).sort();
  return end;
}

function advance(head: Head): void {
  head.current = head.terms.next().value ?? undefined;
}

function leastTerm(heads: readonly Head[]): string | undefined {
  let least: string | undefined;
  for (const { current } of heads) {
    if (current && (least === undefined || current.term < least)) least = current.term;
  }
  return least;
}

function* mergeVectors(
  sources: readonly SegmentReader[],
  { units, unitCount }: Numbering,
  dimensions: number,
): Generator<undefined, readonly Piece[]> {
  if (dimensions === 0) return [];
  const scales = new Float32Array(unitCount);
  const rows = new Int8Array(unitCount * dimensions);
  for (const [index, source] of sources.entries()) {
    const renumber = units[index] as Int32Array;
    let unit = 0;
    for (const chunk of source.vectors()) {
      for (let row = 0; row < chunk.scales.length; row++, unit++) {
        const target = renumber[unit] as number;
        if (target < 0) continue;
        scales[target] = chunk.scales[row] as number;
        rows.set(chunk.rows.subarray(row * dimensions, (row + 1) * dimensions), target * dimensions);
      }
      yield undefined;
    }
  }
  const pieces: Piece[] = [];
  for (let start = 0; start < unitCount; start += rowsInChunk) {
    const end = Math.min(unitCount, start + rowsInChunk);
    const bytes = packRows({
      scales: scales.subarray(start, end),
      rows: rows.subarray(start * dimensions, end * dimensions),
    });
    pieces.push({ kind: pieceKinds.vectors, number: start / rowsInChunk, bytes });
  }
  return pieces;
}
