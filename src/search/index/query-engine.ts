import type { ShownUnit } from "../shown-units.ts";
import { bestUnits } from "./best-units.ts";
import type { IndexSnapshot } from "./index-snapshot.ts";
import { nearestUnits } from "./nearest-units.ts";
import { impactIn } from "./posting-list.ts";
import { type ChunkQuery, createChunkScorer, type SearchedChunk } from "./score-chunk.ts";
import type { SearchIndex } from "./search-index.ts";
import { createStandInFinder, type FindStandIns } from "./stand-ins.ts";
import type { TermEntry } from "./term-cache.ts";
import { createTopUnits, type TopUnit } from "./top-units.ts";
import type { UnitFilter } from "./unit-filter.ts";
import { createUnitHit, type HitTerm, type UnitHit } from "./unit-hit.ts";

export type { UnitHit } from "./unit-hit.ts";

interface QueryTerm {
  readonly term: string;
  readonly weight: number;
  /** What the term is looked up for, as the reader wrote it. */
  readonly word: string;
}

export interface TermQuery {
  /** Where there are none, all units match, the latest first. */
  readonly terms: readonly QueryTerm[];
  /** A unit with one of these does not match. */
  readonly excluded?: readonly string[];
  /** A unit must hold at least one of each group. */
  readonly required?: readonly (readonly string[])[];
  readonly filter?: UnitFilter;
  /** Says of each hit what each term gave. */
  readonly explain?: boolean;
}

/** A term as it was looked up in the end. */
interface UsedTerm extends QueryTerm {
  /** How many units hold it. */
  readonly units: number;
}

export interface TermMatches {
  /** How many units match. */
  readonly total: number;
  /** Best first; of equal ones by index, path and place in the document. */
  readonly hits: readonly UnitHit[];
  readonly terms: readonly UsedTerm[];
}

/** Several indexes as they were at one moment. */
export interface EngineReader {
  match(query: TermQuery, limit: number): TermMatches;
  /** Units by how near their meaning is; those that have nothing in common with it are left out. */
  nearest(vector: Float32Array, limit: number, filter?: UnitFilter): readonly UnitHit[];
  /** What is shown of units, all different. */
  shown(hits: readonly UnitHit[]): readonly ShownUnit[];
}

export interface QueryEngine {
  reading<Result>(work: (reader: EngineReader) => Result): Result;
}

export interface QueryEngineOptions {
  /** How much a term tells that `units` of `all` units hold; more than 0. */
  readonly idf: (units: number, all: number) => number;
}

/** One ranking over several indexes. */
export function createQueryEngine(indexes: readonly SearchIndex[], { idf }: QueryEngineOptions): QueryEngine {
  const findStandIns = createStandInFinder();
  const scoreChunk = createChunkScorer();
  const top = createTopUnits();

  function match(query: TermQuery, limit: number, snapshots: readonly IndexSnapshot[]): TermMatches {
    const all = snapshots.reduce((sum, snapshot) => sum + snapshot.units, 0);
    const entriesOf = (term: string) => snapshots.map((snapshot) => snapshot.entry(term.toWellFormed()));
    const found = lookUp(query.terms, entriesOf, snapshots, findStandIns);
    const { terms, step } = toWholeFactors(found, (term) => term.weight * idf(term.units, all));
    const excluded = (query.excluded ?? []).map(entriesOf);
    const required = (query.required ?? []).map((group) => group.map(entriesOf));
    top.begin(limit);
    const chunks = chunksOf(snapshots);
    let total = 0;
    let place = 0;
    snapshots.forEach((snapshot, index) => {
      snapshot.chunks.forEach((reader, number) => {
        const listOf = (entries: readonly TermEntry[]) => entries[index]?.lists[number];
        const inChunk: ChunkQuery = {
          isByDay: query.terms.length === 0,
          terms: terms.map(({ entries, factor }) => ({ list: listOf(entries), factor })),
          excluded: excluded.map(listOf),
          required: required.map((group) => group.map(listOf)),
          filter: query.filter,
        };
        total += scoreChunk({ index, reader }, place++, inChunk, top);
      });
    });
    const hits = bestUnits(top.kept(), chunks, limit).map((unit) =>
      createUnitHit(unit, chunks, step, query.explain ? termsOf(unit) : undefined),
    );
    return { total, hits, terms: terms.map(usedOf) };

    function termsOf({ chunk, unit }: TopUnit): HitTerm[] {
      const { index, reader } = chunks[chunk] as SearchedChunk;
      const number = snapshots[index]?.chunks.indexOf(reader) ?? -1;
      return terms.flatMap(({ term, word, entries, factor }) => {
        const list = entries[index]?.lists[number];
        const impact = list ? impactIn(list, unit) : 0;
        return impact > 0 ? [{ term, word, score: factor * impact * step }] : [];
      });
    }
  }

  function nearest(
    vector: Float32Array,
    limit: number,
    filter: UnitFilter | undefined,
    snapshots: readonly IndexSnapshot[],
  ): readonly UnitHit[] {
    const chunks = chunksOf(snapshots);
    const units = nearestUnits(vector, limit, filter, snapshots, chunks, top);
    return bestUnits(units, chunks, limit).map((unit) => createUnitHit(unit, chunks));
  }

  return {
    reading: (work) =>
      reading(indexes, (snapshots) =>
        work({
          match: (query, limit) => match(query, limit, snapshots),
          nearest: (vector, limit, filter) => nearest(vector, limit, filter, snapshots),
          shown: (hits) => shownOf(hits, snapshots),
        }),
      ),
  };
}

/** Holds on to all indexes as they are now. */
function reading<Result>(
  indexes: readonly SearchIndex[],
  work: (snapshots: readonly IndexSnapshot[]) => Result,
): Result {
  const held: SearchIndex[] = [];
  try {
    const snapshots = indexes.map((index) => {
      const snapshot = index.beginReading();
      held.push(index);
      return snapshot;
    });
    return work(snapshots);
  } finally {
    for (const index of held) index.endReading();
  }
}

function shownOf(hits: readonly UnitHit[], snapshots: readonly IndexSnapshot[]): readonly ShownUnit[] {
  const [first] = hits;
  if (!first) return [];
  if (hits.every(({ index }) => index === first.index)) return shownIn(snapshots[first.index], hits);
  const byIndex = snapshots.map((snapshot, index) =>
    shownIn(
      snapshot,
      hits.filter((hit) => hit.index === index),
    ).values(),
  );
  return hits.map(({ index }) => byIndex[index]?.next().value as ShownUnit);
}

function shownIn(snapshot: IndexSnapshot | undefined, hits: readonly UnitHit[]): readonly ShownUnit[] {
  return snapshot?.shown(hits.map(({ shownAt }) => shownAt)) ?? [];
}

type LookedUpTerm = UsedTerm & { readonly entries: readonly TermEntry[] };

function usedOf({ term, weight, word, units }: LookedUpTerm): UsedTerm {
  return { term, weight, word, units };
}

/** Terms that nobody uses are taken for typing errors, or for parts of words. */
function lookUp(
  terms: readonly QueryTerm[],
  entriesOf: (term: string) => readonly TermEntry[],
  snapshots: readonly IndexSnapshot[],
  findStandIns: FindStandIns,
): readonly LookedUpTerm[] {
  return terms.flatMap((wanted) => {
    const entries = entriesOf(wanted.term);
    const units = unitsOf(entries);
    if (units > 0) return [{ ...wanted, entries, units }];
    // Two words put together are mostly no word at all.
    if (wanted.weight < 0.5 || isCode(wanted.word)) return [];
    return findStandIns(wanted.term, snapshots).map(({ term, units: holders, likeness }) => ({
      term,
      word: wanted.word,
      weight: wanted.weight * likeness,
      units: holders,
      entries: entriesOf(term),
    }));
  });
}

/** `EACCES`, `ERR_42`, `utf8`: who asks for a code wants that one, and not one that looks like it. */
function isCode(word: string): boolean {
  return /[\d_]/.test(word) || /^\p{Lu}{3,}$/u.test(word);
}

const factorSum = 2 ** 23;

/**
 * Scores are summed up as whole numbers: their sum does not depend on the order, and adding them is fastest.
 * `step` is what a sum of 1 stands for.
 */
function toWholeFactors<Term>(
  terms: readonly Term[],
  weightOf: (term: Term) => number,
): { readonly terms: readonly (Term & { readonly factor: number })[]; readonly step: number } {
  const weights = terms.map(weightOf);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const scale = all > 0 ? (factorSum - terms.length) / all : 0;
  const whole = terms.map((term, index) => ({
    ...term,
    factor: Math.max(1, Math.round((weights[index] ?? 0) * scale)),
  }));
  return { terms: whole, step: scale > 0 ? 1 / (scale * 255) : 0 };
}

function unitsOf(entries: readonly TermEntry[]): number {
  return entries.reduce((sum, entry) => sum + entry.units, 0);
}

function chunksOf(snapshots: readonly IndexSnapshot[]): readonly SearchedChunk[] {
  return snapshots.flatMap(({ chunks }, index) => chunks.map((reader) => ({ index, reader })));
}
