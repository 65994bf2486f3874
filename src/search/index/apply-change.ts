import type { Connection } from "./connection.ts";
import { type DocumentPlace, insertDocument, readDocument, removeDocument } from "./document-rows.ts";
import { shownPlace } from "./document-table.ts";
import { createFolderChanges } from "./folder-rows.ts";
import type { ChangeOutcome, IndexChange, IndexedDocument } from "./index-change.ts";
import { DamagedIndexError } from "./index-failure.ts";
import type { SnapshotKeeper } from "./index-snapshot.ts";
import { invertDocuments } from "./invert-documents.ts";
import type { SegmentReader } from "./segment-reader.ts";
import { insertDead, insertSegment, removeSegment } from "./segment-rows.ts";
import { insertShown, removeShown } from "./shown-rows.ts";

/** Writes a change as one new segment, all or nothing. */
export function applyChange(keeper: SnapshotKeeper, change: IndexChange): ChangeOutcome {
  const { connection } = keeper;
  const put = sortedByPath(change.put);
  // Most of the work, and nobody needs to wait for it.
  const image = put.length > 0 ? invertDocuments(put) : undefined;
  return keeper.change((segments) => {
    const putPaths = new Set(put.map((document) => document.path));
    const paths = [...putPaths, ...new Set(change.remove.filter((path) => !putPaths.has(path)))];
    const folders = createFolderChanges(connection);
    const conflicts = new Set(paths.filter((path) => !takeOut(path)));
    const accepted = put.filter((document) => !conflicts.has(document.path));
    if (accepted.length > 0) {
      const written = image && accepted.length === put.length ? image : invertDocuments(accepted);
      const origin = insertSegment(connection, written);
      let unit = 0;
      for (const document of accepted) {
        insertDocument(connection, { ...document, origin });
        insertShown(connection, shownPlace(origin, unit), document.shown);
        unit += document.units.length;
        folders.add(document);
      }
    }
    folders.write();
    dropDead(connection);
    return { conflicts: [...conflicts] };

    /** False where another process was faster. */
    function takeOut(path: string): boolean {
      const known = readDocument(connection, path);
      if (hasChanged(change, path, known)) return false;
      if (!known) return true;
      bury(connection, segments, known);
      folders.remove(known);
      removeDocument(connection, path);
      return true;
    }
  });
}

/** Each path once, the last one; ascending, since units of equal score are told apart by their place. */
function sortedByPath(documents: readonly IndexedDocument[]): IndexedDocument[] {
  const byPath = new Map(documents.map((document) => [document.path, document]));
  return [...byPath.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
}

function hasChanged({ seen }: IndexChange, path: string, known: DocumentPlace | undefined): boolean {
  return seen?.has(path) === true && seen.get(path) !== known?.stamp;
}

/** The segment may have been merged since, but only with neighbours: its number lies in the range of the new one. */
function bury(connection: Connection, segments: readonly SegmentReader[], { path, origin }: DocumentPlace): void {
  const segment = segments.find(({ row }) => row.oldest <= origin && origin <= row.newest);
  const table = segment?.documents();
  const document = table?.find(path) ?? -1;
  if (!segment || !table || document < 0 || segment.deadDocuments.has(document)) {
    throw connection.failure(new DamagedIndexError(`The index has lost the place of ${path}.`));
  }
  const first = table.firsts[document] as number;
  const units = (table.firsts[document + 1] as number) - first;
  insertDead(connection, segment.id, { document, first, units });
  removeShown(connection, table.shownAt(document), units);
}

function dropDead(connection: Connection): void {
  for (const row of connection.all("SELECT id FROM segments WHERE dead_documents = documents")) {
    removeSegment(connection, Number(row["id"]));
  }
}
