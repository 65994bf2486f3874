import { TermImpacts } from "../term-impacts.ts";
import type { ChunkImage } from "./chunk-pieces.ts";
import { packDocuments } from "./document-table.ts";
import { maxUnits, packPosting } from "./posting-list.ts";
import { type StoredDocument, vectorsOf } from "./stored-document.ts";
import { createBucketPacker } from "./term-buckets.ts";
import { packRows } from "./vector-rows.ts";
import { packWords } from "./word-table.ts";

/** Makes a chunk of documents that differ, ascending by path: units of equal score are told apart by their place. */
export function invertDocuments(documents: readonly StoredDocument[]): ChunkImage {
  const units = documents.flatMap((document) => document.units.map(TermImpacts.of));
  if (units.length > maxUnits) throw new RangeError(`A chunk holds at most ${maxUnits} units.`);
  const dimensions = documents.find((document) => document.dimensions > 0)?.dimensions ?? 0;
  const { terms, starts, packed } = sortByTerm(units);
  const packer = createBucketPacker();
  terms.forEach((term, id) => {
    packer.add(term, packed, starts[id] as number, starts[id + 1] as number);
  });
  return {
    documents: documents.length,
    units: units.length,
    dimensions,
    pieces: [
      ...packer.finish(),
      packDocuments(documents),
      packWords(terms),
      ...(dimensions > 0 ? [packRows(vectorsOf(documents, units.length, dimensions))] : []),
    ],
  };
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
