import type { ReadChunk } from "./chunk-reader.ts";
import { localDayNumber } from "./date-number.ts";
import { accumulate, copyUnits, type PostingList } from "./posting-list.ts";
import type { TopUnits } from "./top-units.ts";
import { createUnitTest, type UnitFilter } from "./unit-filter.ts";

/** A query as one chunk sees it. Factors are whole numbers whose sum is at most 2²³, so that 255 times it fits. */
export interface ChunkQuery {
  /** No terms were asked for: the latest units are the best. */
  readonly isByDay: boolean;
  readonly terms: readonly { readonly list: PostingList | undefined; readonly factor: number }[];
  readonly excluded: readonly (PostingList | undefined)[];
  readonly required: readonly (readonly (PostingList | undefined)[])[];
  readonly filter: UnitFilter | undefined;
}

/** A chunk among those of all indexes. */
export interface SearchedChunk {
  readonly index: number;
  readonly reader: ReadChunk;
}

/** Offers the best of a chunk, and answers how many of its units match. */
export type ScoreChunk = (chunk: SearchedChunk, place: number, query: ChunkQuery, top: TopUnits) => number;

/** Where less than this share of a chunk's units can match, only those are visited. */
const sparseShare = 1 / 8;

/** One sum for each unit, term after term; the memory is kept from one query to the next, and is all zeros between. */
export function createChunkScorer(): ScoreChunk {
  let sums = new Int32Array(0);
  let marks = new Uint8Array(0);
  let units = new Uint32Array(0);

  function reserve(count: number): void {
    if (sums.length >= count) return;
    sums = new Int32Array(count);
    units = new Uint32Array(count);
  }

  /** A unit that lacks a group is set back to zero. */
  function require(groups: ChunkQuery["required"], count: number): void {
    if (groups.length === 0) return;
    if (marks.length < count) marks = new Uint8Array(count);
    marks.fill(0, 0, count);
    groups.forEach((group, number) => {
      for (const list of group) {
        const holders = list ? copyUnits(list, units) : 0;
        for (let index = 0; index < holders; index++) {
          const unit = units[index] as number;
          if (marks[unit] === number) marks[unit] = number + 1;
        }
      }
    });
    for (let unit = 0; unit < count; unit++) {
      if (marks[unit] !== groups.length) sums[unit] = 0;
    }
  }

  function exclude(lists: ChunkQuery["excluded"]): void {
    for (const list of lists) {
      const holders = list ? copyUnits(list, units) : 0;
      for (let index = 0; index < holders; index++) sums[units[index] as number] = 0;
    }
  }

  function collectAll(count: number, place: number, top: TopUnits): number {
    let total = 0;
    const limit = top.limit();
    let least = top.least();
    let ties = 0;
    for (let unit = 0; unit < count; unit++) {
      const sum = sums[unit] as number;
      // One for all but zero, without a branch that is taken at random.
      total += -sum >>> 31;
      if (sum < least || (sum === least && ++ties > limit)) continue;
      const before = least;
      least = top.offer(place, unit, sum);
      if (least > before) ties = 0;
    }
    sums.fill(0, 0, count);
    return total;
  }

  function collectHolders(list: PostingList, place: number, top: TopUnits): number {
    const holders = copyUnits(list, units);
    let total = 0;
    const limit = top.limit();
    let least = top.least();
    let ties = 0;
    for (let index = 0; index < holders; index++) {
      const unit = units[index] as number;
      const sum = sums[unit] as number;
      if (sum === 0) continue;
      sums[unit] = 0;
      total++;
      if (sum < least || (sum === least && ++ties > limit)) continue;
      const before = least;
      least = top.offer(place, unit, sum);
      if (least > before) ties = 0;
    }
    return total;
  }

  function applyFilter(chunk: SearchedChunk, filter: UnitFilter | undefined): void {
    const isAccepted = createUnitTest(filter, chunk.reader, chunk.index);
    if (!isAccepted) return;
    for (let unit = 0; unit < chunk.reader.units; unit++) {
      if (sums[unit] !== 0 && !isAccepted(unit)) sums[unit] = 0;
    }
  }

  return ({ index, reader }, place, query, top) => {
    const { units: count } = reader;
    const lists = query.terms.flatMap(({ list }) => (list ? [list] : []));
    const postings = lists.reduce((sum, list) => sum + list.count, 0);
    if (count === 0 || (!query.isByDay && postings === 0)) return 0;
    reserve(count);
    if (query.isByDay) scoreByDay(reader, sums);
    for (const { list, factor } of query.terms) if (list) accumulate(list, factor, sums);
    exclude(query.excluded);
    for (const unit of reader.hiddenUnits) sums[unit] = 0;
    require(query.required, count);
    applyFilter({ index, reader }, query.filter);
    const isSparse = !query.isByDay && postings < count * sparseShare;
    if (!isSparse) return collectAll(count, place, top);
    return lists.reduce((total, list) => total + collectHolders(list, place, top), 0);
  };
}

function scoreByDay(reader: ReadChunk, sums: Int32Array): void {
  const { count, dates, firsts, modified } = reader.documents();
  for (let document = 0; document < count; document++) {
    const day = localDayNumber(modified(document));
    for (let unit = firsts[document] as number; unit < (firsts[document + 1] as number); unit++) {
      sums[unit] = (dates[unit] as number) || day;
    }
  }
}
