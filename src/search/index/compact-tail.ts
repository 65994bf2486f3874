import { type ChunkImage, removeChunk, writeChunk } from "./chunk-pieces.ts";
import { type ChunkReader, createChunkReader } from "./chunk-reader.ts";
import { moveDocument } from "./document-rows.ts";
import type { KeptSnapshot, SnapshotKeeper } from "./index-snapshot.ts";
import { invertDocuments } from "./invert-documents.ts";
import { mergeChunks } from "./merge-chunks.ts";
import { takeNumbers } from "./state-rows.ts";
import type { StoredDocument } from "./stored-document.ts";
import { removeTail } from "./tail-rows.ts";
import { chunkUnits, inChunks, lastChunk, unitsIn } from "./write-change.ts";

/** Chunks that are written anew as one, with documents of the tail. */
interface Compaction {
  readonly chunks: readonly ChunkReader[];
  readonly documents: readonly StoredDocument[];
}

export interface CompactLimits {
  /** So many documents may be in the tail or hidden. */
  readonly mostDocuments: number;
  /** So many units may be in the tail. */
  readonly mostUnits: number;
  /** So many chunks may be more than are needed. */
  readonly mostChunks: number;
}

/**
 * Writes a chunk anew, in one transaction: without what is hidden in it, and with what the tail has. False where that
 * is within the limits.
 */
export function compact(keeper: SnapshotKeeper, limits: CompactLimits): boolean {
  const plan = keeper.connection.reading(() => planCompaction(keeper.current(), limits));
  if (!plan) return false;
  keeper.change((snapshot) => {
    // Another process may have done it since.
    const compaction = planCompaction(snapshot, limits);
    if (compaction) runCompaction(keeper, snapshot, compaction);
  });
  return true;
}

function planCompaction(snapshot: KeptSnapshot, limits: CompactLimits): Compaction | undefined {
  const { kept, tail } = snapshot;
  const empty = kept.find((chunk) => isEmpty(chunk, tail));
  if (empty) return { chunks: [empty], documents: [] };
  const hidden = kept.reduce((sum, { hiddenDocuments }) => sum + hiddenDocuments.size, 0);
  if (tail.length + hidden <= limits.mostDocuments && unitsIn(tail) <= limits.mostUnits) {
    return kept.length > limits.mostChunks + snapshot.units / chunkUnits ? planJoining(kept) : undefined;
  }
  const decayed = kept.toSorted((left, right) => right.hiddenDocuments.size - left.hiddenDocuments.size)[0];
  const fresh = tail.filter(({ path }) => !kept.some((chunk) => chunk.hides(path)));
  if (decayed && decayed.hiddenDocuments.size >= fresh.length) {
    return { chunks: [decayed], documents: tail.filter(({ path }) => decayed.hides(path)) };
  }
  const room = roomIn(kept, unitsIn(fresh));
  return { chunks: room ? [room] : [], documents: tail.filter((one) => fresh.includes(one) || room?.hides(one.path)) };
}

/** Nothing is left in it, and the tail has no later version of what was. */
function isEmpty(chunk: ChunkReader, tail: readonly StoredDocument[]): boolean {
  return chunk.hiddenDocuments.size === chunk.row.documents && !tail.some(({ path }) => chunk.hides(path));
}

/** The two smallest, where they fit into one: each chunk is one more place where a query looks for a term. */
function planJoining(kept: readonly ChunkReader[]): Compaction | undefined {
  const [one, other] = kept.toSorted((left, right) => livingUnits(left) - livingUnits(right));
  if (!one || !other || livingUnits(one) + livingUnits(other) > chunkUnits) return undefined;
  // In the place of the larger one, so that fewer documents move.
  return { chunks: [other, one], documents: [] };
}

/** The fullest chunk that has room for so many units. */
function roomIn(kept: readonly ChunkReader[], units: number): ChunkReader | undefined {
  const fitting = kept.filter((chunk) => livingUnits(chunk) + units <= chunkUnits);
  return fitting.toSorted((left, right) => livingUnits(right) - livingUnits(left))[0];
}

function livingUnits({ units, hiddenUnits }: ChunkReader): number {
  return units - hiddenUnits.length;
}

function runCompaction(keeper: SnapshotKeeper, snapshot: KeptSnapshot, { chunks, documents }: Compaction): void {
  const { connection } = keeper;
  const [target, ...others] = chunks;
  let next = lastChunk(snapshot);
  const living = chunks.reduce((sum, chunk) => sum + livingUnits(chunk), 0);
  const fits = living + unitsIn(documents) <= 2 * chunkUnits;
  if (target) replace(target, fits ? documents : []);
  for (const part of target && fits ? [] : inChunks(documents)) write(++next, invertDocuments(part), part);
  for (const chunk of others) {
    for (const path of livingPaths(chunk)) moveDocument(connection, path, (target as ChunkReader).row.chunk);
    remove(chunk);
  }
  for (const { path } of documents) removeTail(connection, path);

  /** In the place of a chunk: that and the others, without what is hidden, and with what is new. */
  function replace(chunk: ChunkReader, added: readonly StoredDocument[]): void {
    const sources = added.length > 0 ? [...chunks, readerOf(invertDocuments(added))] : chunks;
    const image = mergeChunks(sources);
    remove(chunk);
    if (image.documents > 0) write(chunk.row.chunk, image, added);
  }

  function write(chunk: number, image: ChunkImage, moved: readonly StoredDocument[]): void {
    writeChunk(connection, chunk, takeNumbers(connection, 1), image);
    for (const { path } of moved) moveDocument(connection, path, chunk);
  }

  function remove({ row }: ChunkReader): void {
    removeChunk(connection, row.chunk);
    connection.run("DELETE FROM hidden WHERE chunk = ?", row.chunk);
  }
}

function livingPaths(chunk: ChunkReader): string[] {
  const table = chunk.documents();
  const all = Array.from({ length: table.count }, (_, document) => document);
  return all.filter((document) => !chunk.hiddenDocuments.has(document)).map(table.path);
}

/** As if it were kept already. */
function readerOf({ documents, units, dimensions, pieces }: ChunkImage): ChunkReader {
  const row = { chunk: 0, version: 0, documents, units, dimensions };
  return createChunkReader(row, (kind) => pieces[kind] as Uint8Array);
}
