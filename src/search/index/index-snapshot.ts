import { crc32 } from "node:zlib";
import { createVectorScan, type VectorScan } from "../meaning/vector-scan.ts";
import type { Connection, Row } from "./connection.ts";
import { DamagedIndexError } from "./index-failure.ts";
import { type Piece, type PieceKind, pieceId, pieceRange } from "./segment-image.ts";
import { createSegmentReader, type SegmentReader, type SegmentRow } from "./segment-reader.ts";
import { createTermCache, type TermEntry } from "./term-cache.ts";

/** The index as a query sees it. */
export interface IndexSnapshot {
  /** Oldest first. */
  readonly segments: readonly SegmentReader[];
  /** How many units live. */
  readonly units: number;
  /** Another one whenever anything was changed. */
  readonly version: number;
  entry(term: string): TermEntry;
  /** Undefined where no unit has a vector. */
  vectors(): VectorScan | undefined;
}

/** What one process knows of an open database. */
export interface SnapshotKeeper {
  readonly connection: Connection;
  /** Inside a transaction: what is current now, at the cost of one small read where nothing was changed. */
  current(): IndexSnapshot;
  /** After a change of our own, which the database does not tell us about. */
  outdate(): void;
}

const largeUnits = 4096;

export function createSnapshotKeeper(connection: Connection, cacheBytes: number): SnapshotKeeper {
  const cache = createTermCache(cacheBytes);
  let segments: readonly SegmentReader[] = [];
  let units = 0;
  let version = 0;
  let dataVersion: unknown;
  let scan: VectorScan | undefined;
  let scanned = new Set<number>();

  function reload(): void {
    const known = new Map(segments.map((segment) => [segment.id, segment]));
    segments = connection
      .all("SELECT * FROM segments ORDER BY oldest")
      .map(toSegmentRow)
      .map((row) => {
        const reader = known.get(row.id) ?? createSegmentReader(row, (...place) => readPiece(connection, ...place));
        if (row.deadDocuments !== reader.deadDocuments.size) reader.bury(readDead(connection, row.id));
        reader.row = row;
        return reader;
      });
    units = segments.reduce((sum, { row }) => sum + row.units - row.deadUnits, 0);
    version++;
    const ids = new Set(segments.map((segment) => segment.id));
    // What is known of small ones is little, and goes when its term is next asked for.
    if ([...known.values()].some(({ id, units: size }) => size >= largeUnits && !ids.has(id))) cache.keepOnly(ids);
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

  const snapshot: IndexSnapshot = {
    get segments() {
      return segments;
    },
    get units() {
      return units;
    },
    get version() {
      return version;
    },
    entry: (term) => cache.entry(term, segments, version),
    vectors,
  };

  return {
    connection,
    current() {
      const now = connection.get("PRAGMA data_version")?.["data_version"];
      if (now !== dataVersion) {
        reload();
        dataVersion = now;
      }
      return snapshot;
    },
    outdate() {
      dataVersion = undefined;
    },
  };
}

export function writePieces(connection: Connection, segment: number, pieces: readonly Piece[]): void {
  for (const { kind, number, bytes } of pieces) {
    connection.run("INSERT INTO pieces VALUES (?, ?, ?)", pieceId(segment, kind, number), crc32(bytes), bytes);
  }
}

export function removeSegment(connection: Connection, segment: number): void {
  const { from, until } = pieceRange(segment);
  connection.run("DELETE FROM pieces WHERE id >= ? AND id < ?", from, until);
  connection.run("DELETE FROM dead WHERE segment = ?", segment);
  connection.run("DELETE FROM segments WHERE id = ?", segment);
}

/** SQLite notices a broken page of its own, but not a changed byte of ours. */
function readPiece(connection: Connection, segment: number, kind: PieceKind, number: number): Uint8Array {
  const row = connection.get("SELECT checksum, bytes FROM pieces WHERE id = ?", pieceId(segment, kind, number));
  const bytes = row?.["bytes"];
  if (!(bytes instanceof Uint8Array) || crc32(bytes) !== row?.["checksum"]) {
    throw connection.failure(new DamagedIndexError("A piece of the search index is missing or changed."));
  }
  return bytes;
}

export function readDead(connection: Connection, segment: number) {
  return connection
    .all("SELECT document, first, units FROM dead WHERE segment = ?", segment)
    .map((row) => ({ document: Number(row["document"]), first: Number(row["first"]), units: Number(row["units"]) }));
}

function toSegmentRow(row: Row): SegmentRow {
  return {
    id: Number(row["id"]),
    oldest: Number(row["oldest"]),
    newest: Number(row["newest"]),
    documents: Number(row["documents"]),
    units: Number(row["units"]),
    dimensions: Number(row["dimensions"]),
    deadDocuments: Number(row["dead_documents"]),
    deadUnits: Number(row["dead_units"]),
  };
}
