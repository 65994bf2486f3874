import type { Connection } from "./connection.ts";
import { digestPart } from "./folder-digest.ts";
import type { ChangeOutcome, IndexChange, IndexedDocument } from "./index-change.ts";
import { DamagedIndexError } from "./index-failure.ts";
import { removeSegment, type SnapshotKeeper, writePieces } from "./index-snapshot.ts";
import { invertDocuments } from "./invert-documents.ts";
import type { SegmentImage } from "./segment-image.ts";
import type { SegmentReader } from "./segment-reader.ts";

interface KnownDocument {
  readonly folder: string;
  readonly stamp: number;
  readonly origin: number;
}

/** Writes a change as one new segment, all or nothing. */
export function applyChange(keeper: SnapshotKeeper, change: IndexChange): ChangeOutcome {
  const { connection } = keeper;
  const put = sortedByPath(change.put);
  // Most of the work, and nobody needs to wait for it.
  const image = put.length > 0 ? invertDocuments(put) : undefined;
  return connection.writing(() => {
    const { segments } = keeper.current();
    keeper.outdate();
    const putPaths = new Set(put.map((document) => document.path));
    const paths = [...putPaths, ...new Set(change.remove.filter((path) => !putPaths.has(path)))];
    const known = readKnown(connection, paths);
    const conflicts = new Set(paths.filter((path) => hasChanged(change, path, known.get(path))));
    const folders = createFolderChanges(connection);
    for (const [path, document] of known) {
      if (conflicts.has(path)) continue;
      bury(connection, segments, path, document.origin);
      folders.remove(path, document);
      if (!putPaths.has(path)) connection.run("DELETE FROM documents WHERE path = ?", path);
    }
    const accepted = put.filter((document) => !conflicts.has(document.path));
    if (accepted.length > 0) {
      const written = image && accepted.length === put.length ? image : invertDocuments(accepted);
      writeDocuments(connection, accepted, insertSegment(connection, written));
    }
    for (const document of accepted) folders.add(document);
    folders.write();
    dropDead(connection);
    return { conflicts: [...conflicts] };
  });
}

/** Each path once, the last one; ascending, since units of equal score are told apart by their place. */
function sortedByPath(documents: readonly IndexedDocument[]): IndexedDocument[] {
  const byPath = new Map(documents.map((document) => [document.path, document]));
  return [...byPath.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
}

function hasChanged({ seen }: IndexChange, path: string, known: KnownDocument | undefined): boolean {
  return seen?.has(path) === true && seen.get(path) !== known?.stamp;
}

function readKnown(connection: Connection, paths: readonly string[]): Map<string, KnownDocument> {
  const known = new Map<string, KnownDocument>();
  for (const path of paths) {
    const row = connection.get("SELECT folder, stamp, origin FROM documents WHERE path = ?", path);
    if (!row) continue;
    known.set(path, { folder: String(row["folder"]), stamp: Number(row["stamp"]), origin: Number(row["origin"]) });
  }
  return known;
}

/** The segment may have been merged since, but only with neighbours: its number lies in the range of the new one. */
function bury(connection: Connection, segments: readonly SegmentReader[], path: string, origin: number): void {
  const segment = segments.find(({ row }) => row.oldest <= origin && origin <= row.newest);
  const table = segment?.documents();
  const document = table?.find(path) ?? -1;
  if (!segment || !table || document < 0) {
    throw connection.failure(new DamagedIndexError(`The index has lost the place of ${path}.`));
  }
  const first = table.firsts[document] as number;
  const units = (table.firsts[document + 1] as number) - first;
  connection.run("INSERT INTO dead VALUES (?, ?, ?, ?)", segment.id, document, first, units);
  connection.run(
    "UPDATE segments SET dead_documents = dead_documents + 1, dead_units = dead_units + ? WHERE id = ?",
    units,
    segment.id,
  );
}

export function insertSegment(
  connection: Connection,
  image: SegmentImage,
  range?: { readonly oldest: number; readonly newest: number },
): number {
  const id = Number(connection.get("SELECT value FROM meta WHERE key = 'next'")?.["value"]);
  connection.run("UPDATE meta SET value = ? WHERE key = 'next'", id + 1);
  connection.run(
    "INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?, 0, 0)",
    id,
    range?.oldest ?? id,
    range?.newest ?? id,
    image.documents,
    image.units,
    image.dimensions,
  );
  writePieces(connection, id, image.pieces);
  return id;
}

function writeDocuments(connection: Connection, documents: readonly IndexedDocument[], origin: number): void {
  for (const { path, folder, stamp } of documents) {
    connection.run("INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?)", path, folder, stamp, origin);
  }
}

function dropDead(connection: Connection): void {
  for (const row of connection.all("SELECT id FROM segments WHERE dead_documents = documents")) {
    removeSegment(connection, Number(row["id"]));
  }
}

interface FolderChange {
  documents: number;
  unsettled: number;
  high: number;
  low: number;
}

/** Gathers what becomes of the digests, so that each folder is written once. */
function createFolderChanges(connection: Connection) {
  const changes = new Map<string, FolderChange>();

  function count(folder: string, path: string, stamp: number, sign: 1 | -1): void {
    const change = changes.get(folder) ?? { documents: 0, unsettled: 0, high: 0, low: 0 };
    const part = digestPart({ path, stamp });
    change.documents += sign;
    change.unsettled += stamp === 0 ? sign : 0;
    change.high = (change.high + sign * part.high) | 0;
    change.low = (change.low + sign * part.low) | 0;
    changes.set(folder, change);
  }

  return {
    add: ({ folder, path, stamp }: IndexedDocument) => count(folder, path, stamp, 1),
    remove: (path: string, { folder, stamp }: KnownDocument) => count(folder, path, stamp, -1),
    write() {
      for (const [folder, change] of changes) {
        const before = connection.get("SELECT documents, unsettled, high, low FROM folders WHERE folder = ?", folder);
        const documents = Number(before?.["documents"] ?? 0) + change.documents;
        if (documents === 0) {
          connection.run("DELETE FROM folders WHERE folder = ?", folder);
          continue;
        }
        connection.run(
          "INSERT OR REPLACE INTO folders VALUES (?, ?, ?, ?, ?)",
          folder,
          documents,
          Number(before?.["unsettled"] ?? 0) + change.unsettled,
          (Number(before?.["high"] ?? 0) + change.high) >>> 0,
          (Number(before?.["low"] ?? 0) + change.low) >>> 0,
        );
      }
    },
  };
}
