import { digestFrom, type Stamped } from "../../kernel/folder-digest.ts";
import { type CompactLimits, compact } from "./compact-tail.ts";
import type { Connection } from "./connection.ts";
import type { Container } from "./container.ts";
import { readAt, readDocument } from "./document-rows.ts";
import { type DumpedDocument, dumpDocuments } from "./dump-documents.ts";
import { readDocumentsIn, readFolders, readFoldersAt } from "./folder-rows.ts";
import type { ChangeOutcome, IndexChange } from "./index-change.ts";
import { IndexFailure } from "./index-failure.ts";
import { createSnapshotKeeper, type IndexSnapshot, type KeptSnapshot, type SnapshotKeeper } from "./index-snapshot.ts";
import { chunkUnits, writeChange } from "./write-change.ts";

interface IndexCounts {
  readonly documents: number;
  readonly units: number;
  readonly chunks: number;
  /** How many documents are in no chunk yet. */
  readonly tail: number;
}

/**
 * The index of one root. Several processes may have the same one open: each call sees what others have finished.
 * Every call may throw an IndexFailure.
 */
export interface SearchIndex {
  /** Throws at once where another process is writing. */
  apply(change: IndexChange): ChangeOutcome;
  /** The digest of each folder that has documents; NaN where a document must be looked at again. */
  folders(): Map<string, number>;
  /** What the index has at a path, by one look. */
  lookAt(path: string): KnownPath;
  /** Of the folders that have documents, the one of this path and all below it. */
  foldersAt(path: string): readonly string[];
  /** The folder's own documents, ascending by path. */
  documentsIn(folder: string): Stamped[];
  /** The stamp under which a document is indexed; undefined where it is not. */
  stampOf(path: string): number | undefined;
  counts(): IndexCounts;
  /** Everything, in a form that does not tell how it came about. */
  dump(): DumpedDocument[];
  /** Writes chunks anew for about so long. False where nothing is left to do. */
  maintain(milliseconds: number): boolean;
  /** Holds on to what is there now, until `endReading`. */
  beginReading(): IndexSnapshot;
  /** Whether a failure that a reader of several met is of this one, as far as that is known. */
  isOf(failure: IndexFailure): boolean;
  endReading(): void;
  close(): void;
}

interface KnownPath {
  /** The stamp under which a document of this path is indexed; undefined where none is. */
  readonly stamp: number | undefined;
  /** False where no document lies below it. */
  readonly mayBeFolder: boolean;
}

export interface SearchIndexOptions {
  readonly cacheBytes?: number;
  /** How many documents may be in the tail, which each query looks through. */
  readonly mostInTail?: number;
}

/** More chunks than are needed, before a write joins two of them. */
const crowded = 16;

export function createSearchIndex(container: Container, options: SearchIndexOptions = {}): SearchIndex {
  const { cacheBytes = 48 * 1024 * 1024, mostInTail = 64 } = options;
  let keeper: SnapshotKeeper | undefined;
  /** Whether a transaction was begun for a reader. */
  let isReading = false;

  function current(): SnapshotKeeper {
    const connection = container.connection();
    if (keeper?.connection !== connection) keeper = createSnapshotKeeper(connection, cacheBytes);
    return keeper;
  }

  /** The same without a look whether another database has taken its place, which the next reader or writer notices. */
  function latest(): Connection {
    return keeper?.connection.isOpen ? keeper.connection : current().connection;
  }

  function beginReading(): IndexSnapshot {
    const reader = current();
    // A user has more than one root, and often nothing in most of them.
    isReading = !reader.isEmpty();
    if (isReading) reader.connection.run("BEGIN");
    try {
      return reader.current();
    } catch (error) {
      if (error instanceof IndexFailure) error.of ??= container;
      endReading();
      throw error;
    }
  }

  function endReading(): void {
    if (isReading && keeper?.connection.isOpen) keeper.connection.run("COMMIT");
    isReading = false;
  }

  function reading<Result>(work: (snapshot: KeptSnapshot, connection: Connection) => Result): Result {
    const { connection, current: snapshot } = current();
    return connection.reading(() => work(snapshot(), connection));
  }

  return {
    apply(change) {
      const writer = current();
      const outcome = writeChange(writer, change, { mostInTail });
      compactIfFree(writer, { mostDocuments: 2 * mostInTail, mostUnits: chunkUnits / 2, mostChunks: crowded });
      return outcome;
    },
    folders: () =>
      reading(({ documents }, connection) => {
        const rows = readFolders(connection, documents);
        return new Map(rows.map((row) => [row.folder, row.unsettled === 0 ? digestFrom(row) : Number.NaN]));
      }),
    lookAt(path) {
      const { document, mayBeFolder } = readAt(latest(), path);
      return { stamp: document?.stamp, mayBeFolder };
    },
    foldersAt: (path) => readFoldersAt(latest(), path),
    documentsIn: (folder) =>
      reading((_, connection) =>
        readDocumentsIn(connection, folder)
          .map(({ path, stamp }) => ({ path, stamp }))
          .sort((left, right) => (left.path < right.path ? -1 : 1)),
      ),
    stampOf: (path) => readDocument(latest(), path)?.stamp,
    counts: () =>
      reading(({ documents, units, kept, tail }) => ({ documents, units, chunks: kept.length, tail: tail.length })),
    dump: () => reading((snapshot, connection) => dumpDocuments(snapshot, connection)),
    maintain(milliseconds) {
      const until = performance.now() + milliseconds;
      do {
        const limits = { mostDocuments: mostInTail / 2, mostUnits: chunkUnits / 8, mostChunks: 1 };
        if (!compact(current(), limits)) return false;
      } while (performance.now() < until);
      return true;
    },
    beginReading,
    isOf: ({ of }) => of === undefined || of === container,
    endReading,
    close: () => container.close(),
  };
}

/** What was changed is written already: where another process writes now, the next change does it. */
function compactIfFree(keeper: SnapshotKeeper, limits: CompactLimits): void {
  try {
    compact(keeper, limits);
  } catch (error) {
    if (!(error instanceof IndexFailure && error.kind === "busy")) throw error;
  }
}
