import { createVectorScan, type VectorScan } from "../meaning/vector-scan.ts";
import type { ShownUnit } from "../shown-units.ts";
import { createAgingCache } from "./aging-cache.ts";
import type { Connection } from "./connection.ts";
import { type PieceKind, pieceId, pieceKinds } from "./segment-image.ts";
import { createSegmentReader, type ReadSegment, type SegmentReader } from "./segment-reader.ts";
import { readDead, readPiece, readSegments, sealSegments } from "./segment-rows.ts";
import { readShown } from "./shown-rows.ts";
import { readBlock, type TermBlock } from "./term-blocks.ts";
import { createTermCache, type TermEntry } from "./term-cache.ts";

/** The index as a query sees it. */
export interface IndexSnapshot {
  /** Oldest first. */
  readonly segments: readonly ReadSegment[];
  /** How many units live. */
  readonly units: number;
  /** Another one whenever anything was changed. */
  readonly version: number;
  entry(term: string): TermEntry;
  /** What is shown of the units at different places, which document tables name. */
  shown(places: readonly number[]): readonly ShownUnit[];
  /** Undefined where no unit has a vector. */
  vectors(): VectorScan | undefined;
}

/** The same of a database. */
export interface KeptSnapshot extends IndexSnapshot {
  readonly segments: readonly SegmentReader[];
}

/** What one process knows of an open database. */
export interface SnapshotKeeper {
  readonly connection: Connection;
  /** As it was found last. */
  readonly snapshot: KeptSnapshot;
  /** Inside a transaction: what is current now, at the cost of one small read where nothing was changed. */
  current(): KeptSnapshot;
  /** Outside a transaction: there is nothing to read now. */
  isEmpty(): boolean;
  /** Changes segments, all or nothing, with no other writer in between. */
  change<Result>(work: (segments: readonly SegmentReader[]) => Result): Result;
}

const largeUnits = 4096;
const noEntry: TermEntry = { lists: [], units: 0 };

export function createSnapshotKeeper(connection: Connection, cacheBytes: number): SnapshotKeeper {
  const cache = createTermCache(cacheBytes / 2);
  const read = (segment: number, kind: PieceKind, number: number) => readPiece(connection, segment, kind, number);
  const blocks = createAgingCache<TermBlock>(cacheBytes / 4, ({ bytes, entries }) => bytes.length + entries.byteLength);
  // No place is ever given twice.
  const shown = createAgingCache<ShownUnit>(cacheBytes / 4, ({ text }) => 2 * text.length);
  let segments: readonly SegmentReader[] = [];
  let units = 0;
  let version = 0;
  let dataVersion: unknown;
  let scan: VectorScan | undefined;
  let scanned = new Set<number>();

  function readTermBlock(segment: number, number: number): TermBlock {
    const place = pieceId(segment, pieceKinds.block, number);
    return blocks.get(place, () => readBlock(read(segment, pieceKinds.block, number)));
  }

  function reload(): void {
    const known = new Map(segments.map((segment) => [segment.id, segment]));
    segments = readSegments(connection).map((row) => {
      const reader = known.get(row.id) ?? createSegmentReader(row, read, readTermBlock);
      if (row.deadDocuments !== reader.deadDocuments.size) reader.bury(readDead(connection, row));
      reader.row = row;
      return reader;
    });
    units = segments.reduce((sum, { row }) => sum + row.units - row.deadUnits, 0);
    version++;
    const ids = new Set(segments.map((segment) => segment.id));
    // What is known of small ones is little, and goes when its term is next asked for.
    if ([...known.values()].some(({ id, units: size }) => size >= largeUnits && !ids.has(id))) cache.keepOnly(ids);
  }

  function databaseVersion(): unknown {
    return connection.get("PRAGMA data_version")?.["data_version"];
  }

  function refresh(): void {
    const now = databaseVersion();
    if (now === dataVersion) return;
    reload();
    dataVersion = now;
  }

  /** Vectors come into memory when they are first asked for, a segment at a time. */
  function vectors(): VectorScan | undefined {
    const dimensions = segments.find((segment) => segment.dimensions > 0)?.dimensions;
    if (dimensions === undefined) return undefined;
    if (scan?.dims !== dimensions) {
      scan = createVectorScan(dimensions);
      scanned = new Set();
    }
    const ids = new Set(segments.map((segment) => segment.id));
    for (const id of scanned) {
      if (ids.has(id)) continue;
      scan.drop(id);
      scanned.delete(id);
    }
    for (const segment of segments) {
      if (scanned.has(segment.id)) continue;
      // What was begun and failed is begun again.
      scan.drop(segment.id);
      for (const rows of segment.vectors()) scan.append(segment.id, rows);
      scanned.add(segment.id);
    }
    return scan;
  }

  const snapshot: KeptSnapshot = {
    get segments() {
      return segments;
    },
    get units() {
      return units;
    },
    get version() {
      return version;
    },
    entry: (term) => (segments.length === 0 ? noEntry : cache.entry(term, segments, version)),
    shown: (places) => shown.getAll(places, (missing) => readShown(connection, missing)),
    vectors,
  };

  return {
    connection,
    snapshot,
    current() {
      refresh();
      return snapshot;
    },
    isEmpty: () => dataVersion !== undefined && segments.length === 0 && databaseVersion() === dataVersion,
    change: (work) =>
      connection.writing(() => {
        refresh();
        // The database does not tell us about changes of our own.
        dataVersion = undefined;
        const result = work(segments);
        sealSegments(connection);
        return result;
      }),
  };
}
