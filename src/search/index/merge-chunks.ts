import type { ChunkImage } from "./chunk-pieces.ts";
import type { ChunkReader } from "./chunk-reader.ts";
import { type DocumentRow, packDocuments } from "./document-table.ts";
import { copyRenumbered, type PostingList } from "./posting-list.ts";
import { bucketCount, createBucketPacker } from "./term-buckets.ts";
import { packRows } from "./vector-rows.ts";
import { packWords } from "./word-table.ts";

interface Numbering {
  readonly rows: readonly DocumentRow[];
  /** For each source, the new number of each unit; −1 where it is hidden. */
  readonly units: readonly Int32Array[];
  readonly count: number;
}

/** One chunk of what is not hidden in several, as if it had been inverted together. */
export function mergeChunks(sources: readonly ChunkReader[]): ChunkImage {
  const numbering = numberDocuments(sources);
  const dimensions = Math.max(0, ...sources.map((source) => source.dimensions));
  const { buckets, terms } = mergeTerms(sources, numbering);
  return {
    documents: numbering.rows.length,
    units: numbering.count,
    dimensions,
    pieces: [
      ...buckets,
      packDocuments(numbering.rows),
      packWords(terms),
      ...(dimensions > 0 ? [mergeVectors(sources, numbering, dimensions)] : []),
    ],
  };
}

/** By path, as when they are inverted together. */
function numberDocuments(sources: readonly ChunkReader[]): Numbering {
  const living = sources.flatMap(livingDocuments);
  living.sort((left, right) => (left.path < right.path ? -1 : 1));
  const units = sources.map((source) => new Int32Array(source.units).fill(-1));
  let count = 0;
  for (const { source, first, dates } of living) {
    const renumber = units[source] as Int32Array;
    for (let unit = 0; unit < dates.length; unit++) renumber[first + unit] = count++;
  }
  return { rows: living, units, count };
}

function livingDocuments(reader: ChunkReader, source: number) {
  const table = reader.documents();
  const found: (DocumentRow & { readonly source: number; readonly first: number })[] = [];
  for (let document = 0; document < table.count; document++) {
    if (reader.hiddenDocuments.has(document)) continue;
    const first = table.firsts[document] as number;
    found.push({
      source,
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

function mergeTerms(sources: readonly ChunkReader[], { units }: Numbering) {
  const packer = createBucketPacker();
  const terms: string[] = [];
  let packed = new Uint32Array(4096);
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    for (const [term, lists] of listsOf(sources, bucket)) {
      const most = lists.reduce((sum, { list }) => sum + list.count, 0);
      if (most > packed.length) packed = new Uint32Array(most * 2);
      let end = 0;
      for (const { source, list } of lists) end = copyRenumbered(list, units[source] as Int32Array, packed, end);
      if (end === 0) continue;
      if (lists.length > 1) packed.subarray(0, end).sort();
      packer.add(term, packed, 0, end);
      terms.push(term);
    }
  }
  return { buckets: packer.finish(), terms };
}

type SourceList = { readonly source: number; readonly list: PostingList };

function listsOf(sources: readonly ChunkReader[], bucket: number): ReadonlyMap<string, readonly SourceList[]> {
  const found = new Map<string, SourceList[]>();
  sources.forEach((reader, source) => {
    for (const { term, list } of reader.terms(bucket)) {
      const lists = found.get(term);
      if (lists) lists.push({ source, list });
      else found.set(term, [{ source, list }]);
    }
  });
  return found;
}

function mergeVectors(sources: readonly ChunkReader[], { units, count }: Numbering, dimensions: number): Uint8Array {
  const scales = new Float32Array(count);
  const rows = new Int8Array(count * dimensions);
  sources.forEach((reader, source) => {
    const vectors = reader.vectors();
    for (const [unit, target] of (units[source] as Int32Array).entries()) {
      if (!vectors || target < 0) continue;
      scales[target] = vectors.scales[unit] as number;
      rows.set(vectors.rows.subarray(unit * dimensions, (unit + 1) * dimensions), target * dimensions);
    }
  });
  return packRows({ scales, rows });
}
