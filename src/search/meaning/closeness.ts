import { isStopWord } from "../text/stop-words.ts";
import type { StaticTable } from "./static-table.ts";

/** The share of the query's telling words that a section says, in these or in similar words: from 0 to 1. */
type ClosenessTo = (section: ComparedSection) => number;

export interface ComparedSection {
  readonly title: string;
  readonly breadcrumb: readonly string[];
  readonly text: string;
}

export interface QueryTermWeight {
  /** A word as it was asked for. */
  readonly word: string;
  readonly idf: number;
}

/** A longer query is a pasted log: its beginning says what it is about. */
const mostQueryRows = 48;
/** A long section is compared piece by piece, or it would have some word for everything. */
const longSection = 80;
const windowRows = 60;
const windowStep = 30;
/** The length of the row of an average word: what is longer tells more. */
const averageLength = 1.06628;
/** Beyond this share of unknown words the rows say nothing. */
const mostUnknown = 0.8;
const wordPattern = /[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu;

/**
 * Late interaction: each word of the query meets the word of the section that is nearest to it in meaning, and telling
 * words count more. Tells sections that answer from sections that merely share a subject far better than one vector for
 * each text does. Undefined where the table does not know the language of the query.
 */
export function createCloseness(
  table: StaticTable,
  query: string,
  terms: readonly QueryTermWeight[],
): ClosenessTo | undefined {
  const asked = queryRows(table, query, terms);
  if (asked.length === 0 || table.unknownShare(query) >= mostUnknown) return undefined;
  const total = asked.reduce((sum, { weight }) => sum + weight, 0);
  /** By row: how near it is to each row of the query. Sections of one memory share most of their words. */
  const known = new Map<number, Float32Array>();

  function nearness(row: number): Float32Array {
    const before = known.get(row);
    if (before) return before;
    const given = table.row(row);
    const size = lengthOf(given);
    const near = Float32Array.from(asked, (one) => Math.max(0, dot(one.row, given) / (one.length * size || 1)));
    known.set(row, near);
    return near;
  }

  function sharedBy(rows: Iterable<number>): number {
    const best = new Float32Array(asked.length);
    for (const row of rows) {
      const near = nearness(row);
      for (let at = 0; at < best.length; at += 1) best[at] = Math.max(best[at] as number, near[at] as number);
    }
    return asked.reduce((sum, { weight }, at) => sum + weight * (best[at] as number), 0) / total;
  }

  return ({ title, breadcrumb, text }) => {
    const titles = new Set([...breadcrumb, title].flatMap((one) => wordRows(table, one)));
    const body = wordRows(table, text);
    if (body.length <= longSection) return sharedBy([...titles, ...body]);
    let words = 0;
    for (let from = 0; from < body.length; from += windowStep) {
      words = Math.max(words, sharedBy([...titles, ...body.slice(from, from + windowRows)]));
      if (from + windowRows >= body.length) break;
    }
    return words;
  };
}

function queryRows(table: StaticTable, query: string, terms: readonly QueryTermWeight[]) {
  const idfs = new Map<string, number>();
  for (const { word, idf } of terms) idfs.set(word.toLowerCase(), Math.min(idf, idfs.get(word.toLowerCase()) ?? idf));
  const rarest = Math.max(1, ...idfs.values());
  const words = query.match(wordPattern) ?? [];
  const telling = words.filter((word) => !isStopWord(word.toLowerCase()));
  const found = new Map<number, { row: Int8Array; length: number; weight: number }>();
  for (const word of telling.length > 0 ? telling : words) {
    const idf = idfs.get(word.toLowerCase()) ?? rarest;
    for (const token of table.wordTokens(word)) {
      if (found.size >= mostQueryRows) break;
      const row = table.row(token);
      const length = lengthOf(row);
      const weight = ((table.scale(token) * length) / averageLength) * Math.sqrt(Math.max(0, idf));
      if (weight > 0) found.set(token, { row, length, weight });
    }
  }
  return [...found.values()];
}

function lengthOf(row: Int8Array): number {
  return Math.sqrt(dot(row, row));
}

function dot(one: Int8Array, other: Int8Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] as number) * (other[at] as number);
  return sum;
}

/** The distinct rows of a text's words, in their order, without punctuation. */
function wordRows(table: StaticTable, text: string): number[] {
  return [...new Set(table.wordTokens(text))];
}
