import type { ReadChunk } from "./chunk-reader.ts";
import { impactIn, type PostingList } from "./posting-list.ts";
import { tailId } from "./tail-chunk.ts";

/** A term in all chunks. */
export interface TermEntry {
  /** In the order of the chunks. */
  readonly lists: readonly (PostingList | undefined)[];
  /** How many units hold the term, without those that are hidden. */
  readonly units: number;
}

interface KnownTerm extends TermEntry {
  readonly version: number;
  /** Of the chunks. */
  readonly ids: readonly number[];
}

/** What is known of a term's postings, within so many bytes: the half that was used last stays. */
export interface TermCache {
  entry(term: string, chunks: readonly ReadChunk[], version: number): TermEntry;
}

const encoder = new TextEncoder();
const scratch = new Uint8Array(1024);

/** Until the next one: to make an array costs more than to look the term up. */
function encode(term: string): Uint8Array {
  if (term.length * 3 > scratch.length) return encoder.encode(term);
  return scratch.subarray(0, encoder.encodeInto(term, scratch).written);
}

const entryBytes = 200;
const listBytes = 150;

export function createTermCache(maxBytes: number): TermCache {
  let recent = new Map<string, KnownTerm>();
  let old = new Map<string, KnownTerm>();
  let recentBytes = 0;
  /** Shared by all terms of a version. */
  let ids: readonly number[] = [];
  let idsOf: number | undefined;

  function remember(term: string, known: KnownTerm): void {
    recent.set(term, known);
    recentBytes += bytesOf(known);
    if (recentBytes < maxBytes / 2) return;
    old = recent;
    recent = new Map();
    recentBytes = 0;
  }

  return {
    entry(term, chunks, version) {
      const known = recent.get(term);
      if (known?.version === version) return known;
      if (known) recentBytes -= bytesOf(known);
      const before = known ?? old.get(term);
      if (idsOf !== version) ids = chunks.map(({ id }) => id);
      idsOf = version;
      const current = before?.version === version ? before : { ...readTerm(term, chunks, before), version, ids };
      remember(term, current);
      return current;
    },
  };
}

function readTerm(term: string, chunks: readonly ReadChunk[], before: KnownTerm | undefined): TermEntry {
  const known = new Map(before?.ids.map((id, at) => [id, at]));
  known.delete(tailId);
  let encoded: Uint8Array | undefined;
  let units = 0;
  const lists = chunks.map((chunk) => {
    const at = known.get(chunk.id);
    if (at === undefined) encoded ??= encode(term);
    const list = at === undefined ? chunk.postings(term, encoded as Uint8Array) : before?.lists[at];
    if (list) units += list.count - countIn(list, chunk.hiddenUnits);
    return list;
  });
  return { lists, units };
}

function countIn(list: PostingList, units: readonly number[]): number {
  let count = 0;
  for (const unit of units) if (impactIn(list, unit) > 0) count++;
  return count;
}

function bytesOf({ lists }: KnownTerm): number {
  return lists.reduce((sum, list) => sum + 8 + (list ? list.bytes.length + listBytes : 0), entryBytes);
}
