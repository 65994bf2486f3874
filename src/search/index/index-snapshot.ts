import { createVectorScan, type VectorScan } from "../meaning/vector-scan.ts";
import type { ShownUnit } from "../shown-units.ts";
import { createAgingCache } from "./aging-cache.ts";
import { readPiece } from "./chunk-pieces.ts";
import { type ChunkReader, createChunkReader, type ReadChunk } from "./chunk-reader.ts";
import type { Connection } from "./connection.ts";
import { toBusy } from "./index-failure.ts";
import { readShown, shownPlace } from "./shown-rows.ts";
import { type ChunkRow, type IndexState, readState, sealState, type TailRow } from "./state-rows.ts";
import type { StoredDocument } from "./stored-document.ts";
import { createTailChunk, tailId } from "./tail-chunk.ts";
import { readTailDocument } from "./tail-rows.ts";
import { bucketCount } from "./term-buckets.ts";
import { createTermCache, type TermEntry } from "./term-cache.ts";

/** The index as a query sees it. */
export interface IndexSnapshot {
  /** The last one is the tail. */
  readonly chunks: readonly ReadChunk[];
  /** How many units there are. */
  readonly units: number;
  /** Another one whenever anything was changed. */
  readonly version: number;
  entry(term: string): TermEntry;
  /** What is shown of the units at different places, which document tables name. */
  shown(places: readonly number[]): readonly ShownUnit[];
  /** Undefined where no unit has a vector. */
  vectors(): VectorScan | undefined;
}

/** The same, and what it is made of. */
export interface KeptSnapshot extends IndexSnapshot {
  readonly documents: number;
  readonly kept: readonly ChunkReader[];
  /** Those that the tail has, ascending by path. */
  readonly tail: readonly StoredDocument[];
}

/** What one process knows of an open database. */
export interface SnapshotKeeper {
  readonly connection: Connection;
  /** Inside a transaction: what is current now, at the cost of one small read where nothing was changed. */
  current(): KeptSnapshot;
  /** Outside a transaction: there is nothing to read now. */
  isEmpty(): boolean;
  /** Changes the index, all or nothing, with no other writer in between. */
  change<Result>(work: (snapshot: KeptSnapshot) => Result): Result;
}

const noEntry: TermEntry = { lists: [], units: 0 };

export function createSnapshotKeeper(connection: Connection, cacheBytes: number): SnapshotKeeper {
  const cache = createTermCache(cacheBytes / 2);
  // No place is ever given twice.
  const shown = createAgingCache<ShownUnit>(cacheBytes / 4, ({ text }) => 2 * text.length);
  const buckets = createAgingCache<Uint8Array>(cacheBytes / 4, ({ length }) => length);
  let kept: readonly ChunkReader[] = [];
  let tail: readonly StoredDocument[] = [];
  let chunks: readonly ReadChunk[] = [];
  let [units, documents, version] = [0, 0, 0];
  let dataVersion: unknown;
  let scan: VectorScan | undefined;
  let scanned = new Set<number>();

  /** Of a bucket another term may be asked for next; the other pieces are read once. */
  function read(row: ChunkRow, kind: number): Uint8Array {
    if (kind >= bucketCount) return readPiece(connection, row, kind);
    return buckets.get(row.version * bucketCount + kind, () => readPiece(connection, row, kind));
  }

  function load(state: IndexState): void {
    const known = new Map(kept.map((chunk) => [chunk.id, chunk]));
    kept = state.chunks.map((row) => known.get(row.version) ?? createChunkReader(row, (kind) => read(row, kind)));
    const hiding = Map.groupBy(state.hidden, ({ chunk }) => chunk);
    for (const chunk of kept) chunk.hide((hiding.get(chunk.row.chunk) ?? []).map(({ path }) => path));
    tail = readTail(state.tail);
    chunks = tail.length > 0 ? [...kept, createTailChunk(tail)] : kept;
    units = chunks.reduce((sum, chunk) => sum + chunk.units - chunk.hiddenUnits.length, 0);
    documents = kept.reduce((sum, { row, hiddenDocuments }) => sum + row.documents - hiddenDocuments.size, 0);
    documents += tail.length;
    // It is another one.
    scanned.delete(tailId);
    scan?.drop(tailId);
    version++;
  }

  /** Most of them are known. */
  function readTail(rows: readonly TailRow[]): readonly StoredDocument[] {
    const known = new Map(tail.map((document) => [document.shownAt, document]));
    return rows.map((row) => known.get(shownPlace(row.number)) ?? readTailDocument(connection, row)).sort(byPath);
  }

  function databaseVersion(): unknown {
    return connection.get("PRAGMA data_version")?.["data_version"];
  }

  function refresh(): void {
    const now = databaseVersion();
    if (now === dataVersion) return;
    load(readState(connection));
    dataVersion = now;
  }

  /** Vectors come into memory when they are first asked for, a chunk at a time. */
  function vectors(): VectorScan | undefined {
    const dimensions = chunks.find((chunk) => chunk.dimensions > 0)?.dimensions;
    if (dimensions === undefined) return undefined;
    if (scan?.dims !== dimensions) {
      scan = createVectorScan(dimensions);
      scanned = new Set();
    }
    const ids = new Set(chunks.map(({ id }) => id));
    for (const id of scanned) if (!ids.has(id)) scan.drop(id);
    scanned = scanned.intersection(ids);
    for (const chunk of chunks) {
      if (scanned.has(chunk.id)) continue;
      // What was begun and failed is begun again.
      scan.drop(chunk.id);
      const rows = chunk.vectors();
      if (rows) scan.append(chunk.id, rows);
      scanned.add(chunk.id);
    }
    return scan;
  }

  const snapshot: KeptSnapshot = {
    get chunks() {
      return chunks;
    },
    get units() {
      return units;
    },
    get documents() {
      return documents;
    },
    get version() {
      return version;
    },
    get kept() {
      return kept;
    },
    get tail() {
      return tail;
    },
    entry: (term) => (chunks.length === 0 ? noEntry : cache.entry(term, chunks, version)),
    shown: (places) => shown.getAll(places, (missing) => readShown(connection, missing)),
    vectors,
  };

  return {
    connection,
    current() {
      refresh();
      return snapshot;
    },
    isEmpty: () => dataVersion !== undefined && chunks.length === 0 && databaseVersion() === dataVersion,
    change(work) {
      let seen: unknown;
      try {
        const result = connection.writing(() => {
          refresh();
          // What is read now is not there if this fails.
          [seen, dataVersion] = [dataVersion, undefined];
          const done = work(snapshot);
          load(sealState(connection));
          return done;
        });
        // A change of its own leaves a connection's version as it was.
        dataVersion = seen;
        return result;
      } catch (error) {
        throw toBusy(error);
      }
    },
  };
}

function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return left.path < right.path ? -1 : 1;
}
