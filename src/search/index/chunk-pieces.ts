import { checksumAt } from "./checksum.ts";
import type { Connection } from "./connection.ts";
import { DamagedIndexError } from "./index-failure.ts";
import type { ChunkRow } from "./state-rows.ts";
import { bucketCount } from "./term-buckets.ts";

/** What a chunk is made of, after its buckets of terms. */
export const pieceKinds = { documents: bucketCount, words: bucketCount + 1, vectors: bucketCount + 2 } as const;

/** The contents of a chunk before it is written. */
export interface ChunkImage {
  readonly documents: number;
  readonly units: number;
  /** 0 where no unit has a vector. */
  readonly dimensions: number;
  /** By their kinds. */
  readonly pieces: readonly Uint8Array[];
}

const mostChunks = 2 ** 24;

/** A bucket of all chunks lies side by side, as queries read it. */
function placeOf(kind: number, chunk: number): number {
  return kind * mostChunks + chunk;
}

/** The right bytes of a former version are wrong. */
export function pieceChecksum(place: number, version: number, bytes: Uint8Array): number {
  return checksumAt(Math.floor(place / mostChunks) + version * 1024, bytes);
}

/** In the place of what the chunk had. */
export function writeChunk(connection: Connection, chunk: number, version: number, image: ChunkImage): void {
  const { documents, units, dimensions, pieces } = image;
  connection.run(
    "INSERT OR REPLACE INTO chunks VALUES (?, ?, ?, ?, ?)",
    ...[chunk, version, documents, units, dimensions],
  );
  pieces.forEach((bytes, kind) => {
    const place = placeOf(kind, chunk);
    const checksum = pieceChecksum(place, version, bytes);
    connection.run("INSERT OR REPLACE INTO pieces VALUES (?, ?, ?)", place, checksum, bytes);
  });
  if (dimensions === 0) removePiece(connection, chunk, pieceKinds.vectors);
}

export function removeChunk(connection: Connection, chunk: number): void {
  connection.run("DELETE FROM chunks WHERE chunk = ?", chunk);
  for (let kind = 0; kind <= pieceKinds.vectors; kind++) {
    removePiece(connection, chunk, kind);
  }
}

function removePiece(connection: Connection, chunk: number, kind: number): void {
  connection.run("DELETE FROM pieces WHERE place = ?", placeOf(kind, chunk));
}

export function readPiece(connection: Connection, { chunk, version }: ChunkRow, kind: number): Uint8Array {
  const place = placeOf(kind, chunk);
  const row = connection.get("SELECT checksum, bytes FROM pieces WHERE place = ?", place);
  const bytes = row?.["bytes"];
  if (!(bytes instanceof Uint8Array) || pieceChecksum(place, version, bytes) !== row?.["checksum"]) {
    throw connection.failure(new DamagedIndexError("A piece of the search index is missing or changed."));
  }
  return bytes;
}

/** Every piece, with what its checksum depends on. */
export const allPieces = `SELECT place, version, checksum, bytes FROM chunks JOIN pieces ON place % ${mostChunks} = chunk`;
