import { writeChunk } from "./chunk-pieces.ts";
import type { Connection } from "./connection.ts";
import { type DocumentPlace, insertDocument, readDocument, removeDocument } from "./document-rows.ts";
import { createFolderChanges } from "./folder-rows.ts";
import type { ChangeOutcome, IndexChange, IndexedDocument } from "./index-change.ts";
import type { KeptSnapshot, SnapshotKeeper } from "./index-snapshot.ts";
import { invertDocuments } from "./invert-documents.ts";
import { insertShown, packShown, removeShown } from "./shown-rows.ts";
import { takeNumbers } from "./state-rows.ts";
import { type StoredDocument, toStored } from "./stored-document.ts";
import { hideDocument, insertTail, removeTail } from "./tail-rows.ts";

/** About so many units make a chunk. No document lies in two: a large one makes a larger chunk. */
export const chunkUnits = 4096;

export interface WriteLimits {
  /** A change of more documents goes into chunks at once. */
  readonly mostInTail: number;
}

/** Writes a change, all or nothing: what is put goes into the tail, or where it is much, into new chunks. */
export function writeChange(keeper: SnapshotKeeper, change: IndexChange, { mostInTail }: WriteLimits): ChangeOutcome {
  const { connection } = keeper;
  const documents = sortedByPath(change.put);
  const putPaths = new Set(documents.map(({ path }) => path));
  const paths = [...putPaths, ...new Set(change.remove.filter((path) => !putPaths.has(path)))];
  return keeper.change((snapshot) => {
    const folders = createFolderChanges(connection);
    const conflicts = new Set(paths.filter((path) => !takeOut(path)));
    const put = documents.filter(({ path }) => !conflicts.has(path));
    if (put.length > 0) putAll(put, takeNumbers(connection, put.length));
    folders.write();
    return { conflicts: [...conflicts] };

    /** False where another process was faster. */
    function takeOut(path: string): boolean {
      const known = readDocument(connection, path);
      if (hasChanged(change, path, known)) return false;
      if (!known) return true;
      folders.remove(known);
      removeWritten(connection, known);
      return true;
    }

    function putAll(put: readonly IndexedDocument[], first: number): void {
      const stored = put.map((document, at) => toStored(document, first + at));
      expectSameLength(stored, snapshot);
      const chunks = isMuch(stored, mostInTail) ? putInChunks(stored) : undefined;
      const shown = packShown(put.flatMap((document) => document.shown));
      let unit = 0;
      put.forEach(({ path, folder, stamp }, at) => {
        const number = first + at;
        const document = stored[at] as StoredDocument;
        insertDocument(connection, { path, folder, stamp, number, chunk: chunks?.[at] ?? 0 });
        if (!chunks) insertTail(connection, number, document);
        const until = unit + document.units.length;
        for (let place = document.shownAt; unit < until; unit++) insertShown(connection, place++, shown, unit);
        folders.add({ path, folder, stamp });
      });
    }

    /** The chunk of each document. */
    function putInChunks(stored: readonly StoredDocument[]): readonly number[] {
      let chunk = lastChunk(snapshot);
      return inChunks(stored).flatMap((own) => {
        writeChunk(connection, ++chunk, takeNumbers(connection, 1), invertDocuments(own));
        return own.map(() => chunk);
      });
    }
  });
}

/** Ascending, each path once, the last one. */
function sortedByPath(documents: readonly IndexedDocument[]): IndexedDocument[] {
  const byPath = new Map(documents.map((document) => [document.path, document]));
  return [...byPath.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
}

function hasChanged({ seen }: IndexChange, path: string, known: DocumentPlace | undefined): boolean {
  return seen?.has(path) === true && seen.get(path) !== known?.stamp;
}

/** A chunk keeps what it has until it is written anew. */
function removeWritten(connection: Connection, { path, number, chunk }: DocumentPlace): void {
  removeDocument(connection, path);
  removeShown(connection, number);
  if (chunk === 0) removeTail(connection, path);
  else hideDocument(connection, chunk, path);
}

function expectSameLength(stored: readonly StoredDocument[], { chunks }: KeptSnapshot): void {
  const lengths = new Set([...stored, ...chunks].map(({ dimensions }) => dimensions).filter((length) => length > 0));
  if (lengths.size > 1) throw new RangeError("All vectors of an index have the same length.");
}

/** A tail of more would slow queries down, and be written once more at once. */
function isMuch(stored: readonly StoredDocument[], mostInTail: number): boolean {
  return stored.length > mostInTail || unitsIn(stored) > chunkUnits / 4;
}

export function unitsIn(documents: readonly StoredDocument[]): number {
  return documents.reduce((sum, { units }) => sum + units.length, 0);
}

export function lastChunk({ kept }: KeptSnapshot): number {
  return kept.at(-1)?.row.chunk ?? 0;
}

/** Parts that make a chunk each. */
export function inChunks(documents: readonly StoredDocument[]): readonly (readonly StoredDocument[])[] {
  const parts: StoredDocument[][] = [];
  let units = Number.POSITIVE_INFINITY;
  for (const document of documents) {
    if (units + document.units.length > chunkUnits) {
      parts.push([]);
      units = 0;
    }
    parts.at(-1)?.push(document);
    units += document.units.length;
  }
  return parts;
}
