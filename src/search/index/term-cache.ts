import { impactIn, type PostingList } from "./posting-list.ts";
import type { SegmentReader } from "./segment-reader.ts";

/** The postings of a term in one segment, and how many of them are of living units. */
interface SegmentPostings {
  readonly segment: number;
  readonly list: PostingList | undefined;
  living: number;
  /** How many of the segment's dead units were looked at for `living`. */
  counted: number;
}

/** A term in all segments. */
export interface TermEntry {
  /** In the order of the segments. */
  readonly lists: readonly (PostingList | undefined)[];
  /** How many living units hold the term. */
  readonly units: number;
}

interface KnownTerm extends TermEntry {
  readonly version: number;
  readonly parts: readonly SegmentPostings[];
}

/** What is known of a term's postings, within so many bytes: the half that was used last stays. */
export interface TermCache {
  entry(term: string, segments: readonly SegmentReader[], version: number): TermEntry;
  /** Forgets what belongs to segments that are gone. */
  keepOnly(segments: ReadonlySet<number>): void;
}

const encoder = new TextEncoder();
const scratch = new Uint8Array(1024);

/** Until the next one: to make an array costs more than to look the term up. */
function encode(term: string): Uint8Array {
  if (term.length * 3 > scratch.length) return encoder.encode(term);
  return scratch.subarray(0, encoder.encodeInto(term, scratch).written);
}

const entryBytes = 200;
const partBytes = 150;

export function createTermCache(maxBytes: number): TermCache {
  let young = new Map<string, KnownTerm>();
  let old = new Map<string, KnownTerm>();
  let youngBytes = 0;

  function remember(term: string, known: KnownTerm): void {
    young.set(term, known);
    youngBytes += bytesOf(known);
    if (youngBytes < maxBytes / 2) return;
    old = young;
    young = new Map();
    youngBytes = 0;
  }

  return {
    entry(term, segments, version) {
      const known = young.get(term);
      if (known?.version === version) return known;
      const before = known ?? old.get(term);
      if (known) youngBytes -= bytesOf(known);
      const current = before?.version === version ? before : readTerm(term, segments, version, before);
      remember(term, current);
      return current;
    },
    keepOnly(segments) {
      for (const [term, known] of old) {
        if (known.parts.some((part) => !segments.has(part.segment))) old.delete(term);
      }
      for (const [term, known] of young) {
        const parts = known.parts.filter((part) => segments.has(part.segment));
        if (parts.length === known.parts.length) continue;
        youngBytes -= bytesOf(known);
        const kept = { version: 0, parts, lists: [], units: 0 };
        young.set(term, kept);
        youngBytes += bytesOf(kept);
      }
    },
  };
}

function readTerm(
  term: string,
  segments: readonly SegmentReader[],
  version: number,
  before: KnownTerm | undefined,
): KnownTerm {
  let encoded: Uint8Array | undefined;
  let units = 0;
  const parts = segments.map((segment) => {
    let part = before?.parts.find((candidate) => candidate.segment === segment.id);
    if (!part) {
      encoded ??= encode(term);
      const list = segment.postings(term, encoded);
      part = { segment: segment.id, list: list && cutLoose(list), living: list?.count ?? 0, counted: 0 };
    }
    countDead(part, segment);
    units += part.living;
    return part;
  });
  return { version, parts, lists: parts.map((part) => part.list), units };
}

function countDead(part: SegmentPostings, { deadUnits }: SegmentReader): void {
  const { list } = part;
  if (list) {
    for (let index = part.counted; index < deadUnits.length; index++) {
      if (impactIn(list, deadUnits[index] as number) > 0) part.living--;
    }
  }
  part.counted = deadUnits.length;
}

/** A short list would keep its whole block. */
function cutLoose(list: PostingList): PostingList {
  const { bytes, count, skips, start, end } = list;
  if ((end - skips) * 2 > bytes.length) return list;
  return { bytes: bytes.slice(skips, end), count, skips: 0, start: start - skips, end: end - skips };
}

function bytesOf(known: KnownTerm): number {
  return known.parts.reduce((sum, part) => sum + partBytes + (part.list?.bytes.length ?? 0), entryBytes);
}
