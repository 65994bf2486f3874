import type { Connection } from "./connection.ts";
import { type DocumentPlace, insertDocument, readDocument, removeDocument } from "./document-rows.ts";
import { shownPlace } from "./document-table.ts";
import { createFolderChanges } from "./folder-rows.ts";
import type { ChangeOutcome, IndexChange } from "./index-change.ts";
import { DamagedIndexError } from "./index-failure.ts";
import type { SnapshotKeeper } from "./index-snapshot.ts";
import { invertDocuments } from "./invert-documents.ts";
import type { SegmentReader } from "./segment-reader.ts";
import { insertDead, insertSegment, removeSegment } from "./segment-rows.ts";
import { insertShown, removeShown } from "./shown-rows.ts";

/** Writes a change as one new segment, all or nothing. */
export function applyChange(keeper: SnapshotKeeper, change: IndexChange): ChangeOutcome {
  const { connection } = keeper;
  // Most of the work, and nobody needs to wait for it.
  const { image, documents, shown } = invertDocuments(change.put);
  return keeper.change((segments) => {
    const putPaths = new Set(documents.map(({ path }) => path));
    const paths = [...putPaths, ...new Set(change.remove.filter((path) => !putPaths.has(path)))];
    const folders = createFolderChanges(connection);
    const conflicts = new Set(paths.filter((path) => !takeOut(path)));
    if (documents.some(({ path }) => !conflicts.has(path))) putAll(insertSegment(connection, image));
    folders.write();
    dropDead(connection);
    return { conflicts: [...conflicts] };

    /** What another process has put already is dead from the start. */
    function putAll(origin: number): void {
      let first = 0;
      for (const [number, document] of documents.entries()) {
        const { path, folder, stamp, units } = document;
        if (conflicts.has(path)) {
          insertDead(connection, origin, { document: number, first, units });
        } else {
          insertDocument(connection, { path, folder, stamp, origin });
          for (let unit = first; unit < first + units; unit++) {
            insertShown(connection, shownPlace(origin, unit), shown, unit);
          }
          folders.add(document);
        }
        first += units;
      }
    }

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

function hasChanged({ seen }: IndexChange, path: string, known: DocumentPlace | undefined): boolean {
  return seen?.has(path) === true && seen.get(path) !== known?.stamp;
}

function bury(connection: Connection, segments: readonly SegmentReader[], place: DocumentPlace): void {
  const { segment, document, first, units } = findPlace(connection, segments, place);
  insertDead(connection, segment.id, { document, first, units });
  removeShown(connection, segment.documents().shownAt(document), units);
}

/** The segment may have been merged since, but only with neighbours: its number lies in the range of the new one. */
export function findPlace(connection: Connection, segments: readonly SegmentReader[], { path, origin }: DocumentPlace) {
  const segment = segments.find(({ row }) => row.oldest <= origin && origin <= row.newest);
  const table = segment?.documents();
  const document = table?.find(path) ?? -1;
  if (!segment || !table || document < 0 || segment.deadDocuments.has(document)) {
    throw connection.failure(new DamagedIndexError(`The index has lost the place of ${path}.`));
  }
  const first = table.firsts[document] as number;
  return { segment, document, first, units: (table.firsts[document + 1] as number) - first };
}

function dropDead(connection: Connection): void {
  for (const row of connection.all("SELECT id FROM segments WHERE dead_documents = documents")) {
    removeSegment(connection, Number(row["id"]));
  }
}
