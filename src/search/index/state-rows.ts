import { checksumOf } from "./checksum.ts";
import type { Connection } from "./connection.ts";
import { DamagedIndexError } from "./index-failure.ts";

/** A chunk as its row says. */
export interface ChunkRow {
  readonly chunk: number;
  /** Of what is in it now: no chunk had the same before. */
  readonly version: number;
  readonly documents: number;
  readonly units: number;
  /** 0 where no unit has a vector. */
  readonly dimensions: number;
}

/** A row of the tail, without its document. */
export interface TailRow {
  readonly path: string;
  readonly number: number;
}

/** That a chunk still has a document which was changed or taken out since. */
interface HiddenRow {
  readonly chunk: number;
  readonly path: string;
}

/** What a reader must know before anything else. */
export interface IndexState {
  /** The next number of a document, and version of a chunk. */
  readonly next: number;
  /** Ascending by their numbers. */
  readonly chunks: readonly ChunkRow[];
  readonly hidden: readonly HiddenRow[];
  /** Ascending by path. */
  readonly tail: readonly TailRow[];
}

/** A row that is changed, missing, or too many is noticed by the seal of all of them. */
export function readState(connection: Connection): IndexState {
  const state = stateIn(connection);
  if (metaNumber(connection, "seal") !== sealOf(state)) {
    throw connection.failure(new DamagedIndexError("The list of what the index has is not what was written."));
  }
  return state;
}

/** After every change of these rows, in the same transaction. Answers what they are now. */
export function sealState(connection: Connection): IndexState {
  const state = stateIn(connection);
  const seal = sealOf(state);
  // What was not changed is not written: other processes would have to read it again.
  if (metaNumber(connection, "seal") !== seal) setMeta(connection, "seal", seal);
  return state;
}

export function sealOf({ next, chunks, hidden, tail }: IndexState): number {
  return checksumOf(
    next,
    ...chunks.flatMap((row) => Object.values<number>({ ...row })),
    ...hidden.flatMap(({ chunk, path }) => [chunk, path]),
    ...tail.flatMap(({ path, number }) => [path, number]),
  );
}

/** The first of so many numbers that nothing had before. */
export function takeNumbers(connection: Connection, count: number): number {
  const next = metaNumber(connection, "next");
  setMeta(connection, "next", next + count);
  return next;
}

function stateIn(connection: Connection): IndexState {
  return {
    next: metaNumber(connection, "next"),
    chunks: connection.all("SELECT * FROM chunks ORDER BY chunk").map((row) => ({
      chunk: Number(row["chunk"]),
      version: Number(row["version"]),
      documents: Number(row["documents"]),
      units: Number(row["units"]),
      dimensions: Number(row["dimensions"]),
    })),
    hidden: connection.all("SELECT chunk, path FROM hidden ORDER BY chunk, path").map((row) => ({
      chunk: Number(row["chunk"]),
      path: String(row["path"]),
    })),
    tail: connection.all("SELECT path, number FROM tail ORDER BY path").map((row) => ({
      path: String(row["path"]),
      number: Number(row["number"]),
    })),
  };
}

function metaNumber(connection: Connection, key: "next" | "seal"): number {
  return Number(connection.get("SELECT value FROM meta WHERE key = ?", key)?.["value"]);
}

function setMeta(connection: Connection, key: "next" | "seal", value: number): void {
  connection.run("UPDATE meta SET value = ? WHERE key = ?", value, key);
}
