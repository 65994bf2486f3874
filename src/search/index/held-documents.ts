import type { VectorScan } from "../meaning/vector-scan.ts";
import type { ShownUnit } from "../shown-units.ts";
import { TermImpacts } from "../term-impacts.ts";
import type { IndexedUnit } from "../unit.ts";
import { createByteWriter, writtenBytes } from "./byte-writer.ts";
import { dateNumber } from "./date-number.ts";
import { tableOf } from "./document-table.ts";
import type { IndexChange, IndexedDocument } from "./index-change.ts";
import type { IndexSnapshot } from "./index-snapshot.ts";
import { impactIn, type PostingList, packPosting, readPostings, writePostings } from "./posting-list.ts";
import type { ReadSegment } from "./segment-reader.ts";
import type { TermEntry } from "./term-cache.ts";
import { packVectors, readRows } from "./vector-rows.ts";
import { packWords, readWords } from "./word-table.ts";

/** One that is not in the database yet. */
export interface HeldDocument {
  /** Undefined for one that is to be taken out of it. */
  readonly document: IndexedDocument | undefined;
  /** The stamp that the database has, as whoever changes it must find it. */
  readonly seen: number | undefined;
}

export type HeldDocuments = ReadonlyMap<string, HeldDocument>;

/** Units of the database that what is held takes the place of, by segment. */
export type HiddenUnits = ReadonlyMap<number, readonly number[]>;

/** No segment of a database has it. */
const heldSegment = -1;
/** No unit of a database has it, nor one that comes after it. */
const firstPlace = -(2 ** 48);
/** Past these, one change of the database is cheaper than looking through all that is held. */
const mostDocuments = 16;
const mostUnits = 256;

/** Whether a change is small enough to be held as well. */
export function canHold({ put, remove }: IndexChange, held: HeldDocuments): boolean {
  if (held.size + put.length + remove.length > mostDocuments) return false;
  let units = 0;
  for (const { document } of held.values()) units += document?.units.length ?? 0;
  for (const document of put) units += document.units.length;
  return units <= mostUnits && put.every((document) => document.units.every(isWellFormed));
}

/** Others are looked up by what becomes of them when they are written. */
function isWellFormed(unit: IndexedUnit): boolean {
  const { words, numbers, from, to } = TermImpacts.of(unit.terms);
  for (let at = from; at < to; at++) if (!words[numbers[at] as number]?.isWellFormed()) return false;
  return true;
}

/** The index as it will be when what is held is written. */
export interface HeldSnapshot extends IndexSnapshot {
  /** It is not read any more. */
  release(): void;
}

export function snapshotWith(base: IndexSnapshot, held: HeldDocuments, hidden: HiddenUnits): HeldSnapshot {
  const documents: IndexedDocument[] = [];
  for (const { document } of held.values()) if (document) documents.push(document);
  // Units of equal score are told apart by their place.
  documents.sort((left, right) => (left.path < right.path ? -1 : 1));
  const units: IndexedUnit[] = [];
  const shown: ShownUnit[] = [];
  for (const document of documents) {
    units.push(...document.units);
    shown.push(...document.shown);
  }
  const own = heldReader(documents, units);
  const entries = new Map<string, TermEntry>();
  let scan: VectorScan | undefined;
  let hiddenCount = 0;
  for (const places of hidden.values()) hiddenCount += places.length;

  function entryOf(term: string): TermEntry {
    const { lists, units: living } = base.entry(term);
    const list = postingsOf(term, units);
    const hiding = hiddenCount === 0 ? 0 : countHidden(base.segments, lists, hidden);
    return { lists: [...lists, list], units: living - hiding + (list?.count ?? 0) };
  }

  return {
    segments: [...base.segments.map((segment) => withHidden(segment, hidden.get(segment.id))), own],
    units: base.units - hiddenCount + units.length,
    version: base.version,
    entry(term) {
      const known = entries.get(term) ?? entryOf(term);
      entries.set(term, known);
      return known;
    },
    shown(places) {
      const kept = base.shown(places.filter((place) => place >= 0)).values();
      return places.map((place) => (place < 0 ? shown[place - firstPlace] : kept.next().value) as ShownUnit);
    },
    vectors() {
      const current = base.vectors();
      if (current !== scan) {
        scan = current;
        for (const rows of own.vectors()) scan?.append(heldSegment, rows);
      }
      return scan;
    },
    release: () => scan?.drop(heldSegment),
  };
}

function heldReader(documents: readonly IndexedDocument[], units: readonly IndexedUnit[]): ReadSegment {
  const vectors: (Float32Array | undefined)[] = [];
  let [dimensions, shownAt] = [0, firstPlace];
  const rows = documents.map(({ path, modified, kind, flagged, units: own, vectors: some }) => {
    const row = { path, modified, kind, flagged, dates: own.map((unit) => dateNumber(unit.date)), shownAt };
    shownAt += own.length;
    for (let unit = 0; unit < own.length; unit++) {
      vectors.push(some?.[unit]);
      dimensions ||= some?.[unit]?.length ?? 0;
    }
    return row;
  });
  const table = tableOf(rows);
  return {
    id: heldSegment,
    units: units.length,
    dimensions,
    deadUnits: [],
    documents: () => table,
    words: () => readWords(packWords(new Set(units.flatMap((unit) => [...unit.terms.keys()])))),
    *vectors() {
      if (dimensions > 0) yield readRows(packVectors(vectors, dimensions), dimensions);
    },
  };
}

/** Until the next ones: to make an array costs more than to fill it. */
const packed = new Uint32Array(mostUnits);

/** Looked for in each unit: there are few, and most of their terms are never asked for. */
function postingsOf(term: string, units: readonly IndexedUnit[]): PostingList | undefined {
  let count = 0;
  for (let unit = 0; unit < units.length; unit++) {
    const impact = units[unit]?.terms.get(term);
    if (impact !== undefined) packed[count++] = packPosting(unit, impact);
  }
  if (count === 0) return undefined;
  const writer = createByteWriter(count * 6 + 16);
  writePostings(writer, packed, 0, count);
  return readPostings(writtenBytes(writer), 0, writer.length);
}

function countHidden(
  segments: readonly ReadSegment[],
  lists: readonly (PostingList | undefined)[],
  hidden: HiddenUnits,
): number {
  let count = 0;
  segments.forEach(({ id }, index) => {
    const list = lists[index];
    for (const unit of hidden.get(id) ?? []) if (list && impactIn(list, unit) > 0) count++;
  });
  return count;
}

function withHidden(segment: ReadSegment, hidden: readonly number[] | undefined): ReadSegment {
  return hidden ? { ...segment, deadUnits: [...segment.deadUnits, ...hidden] } : segment;
}
