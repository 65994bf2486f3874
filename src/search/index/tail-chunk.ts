import { createByteWriter, writtenBytes } from "./byte-writer.ts";
import type { ReadChunk } from "./chunk-reader.ts";
import { type DocumentTable, tableOf } from "./document-table.ts";
import { type PostingList, packPosting, readPostings, writePostings } from "./posting-list.ts";
import { type StoredDocument, vectorsOf } from "./stored-document.ts";
import { packWords, readWords, type WordGroup } from "./word-table.ts";

/** No chunk has this version. */
export const tailId = 0;

/** The documents of the tail as a query sees them: their terms are looked for in one unit after the other. */
export function createTailChunk(documents: readonly StoredDocument[]): ReadChunk {
  const units = documents.flatMap((document) => document.units);
  const dimensions = documents.find((document) => document.dimensions > 0)?.dimensions ?? 0;
  let table: DocumentTable | undefined;
  return {
    id: tailId,
    units: units.length,
    dimensions,
    hiddenUnits: [],
    documents() {
      table ??= tableOf(documents);
      return table;
    },
    words: () => documents.flatMap(wordsOf),
    vectors: () => (dimensions === 0 ? undefined : vectorsOf(documents, units.length, dimensions)),
    postings: (term) => postingsOf(term, units),
  };
}

/** Most documents stay in the tail for many changes of it. */
const knownWords = new WeakMap<StoredDocument, readonly WordGroup[]>();

function wordsOf(document: StoredDocument): readonly WordGroup[] {
  const known = knownWords.get(document);
  if (known) return known;
  const words = readWords(packWords(new Set(document.units.flatMap((unit) => [...unit.keys()]))));
  knownWords.set(document, words);
  return words;
}

/** There are few units, and most of their terms are never asked for. */
function postingsOf(term: string, units: readonly ReadonlyMap<string, number>[]): PostingList | undefined {
  const found: number[] = [];
  for (let unit = 0; unit < units.length; unit++) {
    const impact = units[unit]?.get(term);
    if (impact !== undefined) found.push(packPosting(unit, impact));
  }
  if (found.length === 0) return undefined;
  const writer = createByteWriter(found.length * 6 + 16);
  writePostings(writer, Uint32Array.from(found), 0, found.length);
  return readPostings(writtenBytes(writer), 0, writer.length);
}
