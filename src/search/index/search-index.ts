import { applyChange } from "./apply-change.ts";
import type { Connection } from "./connection.ts";
import type { Container } from "./container.ts";
import { readDocument } from "./document-rows.ts";
import { type DumpedDocument, dumpDocuments } from "./dump-documents.ts";
import { digestFrom, type Stamped } from "./folder-digest.ts";
import { readDocumentsIn, readFolders, readFoldersAt } from "./folder-rows.ts";
import type { ChangeOutcome, IndexChange } from "./index-change.ts";
import { createSnapshotKeeper, type IndexSnapshot, type SnapshotKeeper } from "./index-snapshot.ts";
import { idlePolicy, lazyPolicy, livingUnits, type MergePolicy, planMerge, thoroughPolicy } from "./merge-plan.ts";
import { createMergeTask, type MergeTask } from "./merge-task.ts";
import type { SegmentReader } from "./segment-reader.ts";

interface IndexCounts {
  readonly documents: number;
  readonly units: number;
  readonly segments: number;
  readonly deadUnits: number;
}

/**
 * The index of one root. Several processes may have the same one open: each call sees what others have finished.
 * Every call may throw an IndexFailure.
 */
export interface SearchIndex {
  apply(change: IndexChange): ChangeOutcome;
  /** The digest of each folder that has documents; NaN where a document must be looked at again. */
  folders(): Map<string, number>;
  /** Of the folders that have documents, the one of this path and all below it. */
  foldersAt(path: string): readonly string[];
  /** The folder's own documents, ascending by path. */
  documentsIn(folder: string): Stamped[];
  /** The stamp under which a document is indexed; undefined where it is not. */
  stampOf(path: string): number | undefined;
  counts(): IndexCounts;
  /** Everything, in a form that does not tell how it came about. */
  dump(): DumpedDocument[];
  /** Merges segments for about so long. False where nothing is left to do. */
  maintain(milliseconds: number): boolean;
  /** Merges all that can be merged, and gives back what is free. */
  compact(): void;
  /** Holds on to what is there now, until `endReading`. */
  beginReading(): IndexSnapshot;
  endReading(): void;
  close(): void;
}

/** Merges up to this size are done with the write that makes them necessary: a few milliseconds. */
const inlineUnits = 2048;

/** From so many segments on, a write gives half its time to merges that nobody does in the background. */
const crowded = 20;

export function createSearchIndex(container: Container, cacheBytes = 48 * 1024 * 1024): SearchIndex {
  let keeper: SnapshotKeeper | undefined;
  let task: MergeTask | undefined;
  /** When merges were last thought of. */
  let segmentCount = 0;

  function current(): SnapshotKeeper {
    const connection = container.connection();
    if (keeper?.connection === connection) return keeper;
    keeper = createSnapshotKeeper(connection, cacheBytes);
    task = undefined;
    return keeper;
  }

  function beginReading(): IndexSnapshot {
    const reader = current();
    reader.connection.run("BEGIN");
    try {
      return reader.current();
    } catch (error) {
      endReading();
      throw error;
    }
  }

  function endReading(): void {
    if (keeper?.connection.isOpen) keeper.connection.run("COMMIT");
  }

  function reading<Result>(work: (snapshot: IndexSnapshot, connection: Connection) => Result): Result {
    const { connection, current: snapshot } = current();
    return connection.reading(() => work(snapshot(), connection));
  }

  function nextTask(policy: MergePolicy, maxUnits: number): MergeTask | undefined {
    return reading(({ segments }) => {
      segmentCount = segments.length;
      const rows = segments.map((segment) => segment.row);
      const plan = planMerge(rows, policy);
      if (!plan) return undefined;
      const size = rows.slice(plan.from, plan.until).reduce((sum, row) => sum + livingUnits(row), 0);
      return size > maxUnits ? undefined : createMergeTask(current(), segments, plan);
    });
  }

  /** Answers how many segments there are then. */
  function mergeAll(policy: MergePolicy, maxUnits: number): number {
    for (let merge = nextTask(policy, maxUnits); merge; merge = nextTask(policy, maxUnits)) {
      while (!merge.step());
    }
    return segmentCount;
  }

  function advance(milliseconds: number, policy: MergePolicy): boolean {
    const until = performance.now() + milliseconds;
    // Whatever was under way in a database that was left is forgotten.
    current();
    while (performance.now() < until) {
      task ??= nextTask(policy, Number.POSITIVE_INFINITY);
      if (!task) return false;
      const running = task;
      task = undefined;
      if (!running.step()) task = running;
    }
    return true;
  }

  return {
    apply(change) {
      const begun = performance.now();
      const outcome = applyChange(current(), change);
      if (mergeAll(lazyPolicy, inlineUnits) > crowded) advance((performance.now() - begun) / 2, lazyPolicy);
      return outcome;
    },
    folders: () =>
      reading(({ segments }, connection) => {
        const rows = readFolders(connection, livingDocuments(segments));
        return new Map(rows.map((row) => [row.folder, row.unsettled === 0 ? digestFrom(row) : Number.NaN]));
      }),
    foldersAt: (path) => reading((_, connection) => readFoldersAt(connection, path)),
    documentsIn: (folder) =>
      reading((_, connection) =>
        readDocumentsIn(connection, folder)
          .map(({ path, stamp }) => ({ path, stamp }))
          .sort((left, right) => (left.path < right.path ? -1 : 1)),
      ),
    stampOf: (path) => readDocument(current().connection, path)?.stamp,
    counts: () =>
      reading(({ segments, units }) => ({
        documents: livingDocuments(segments),
        units,
        segments: segments.length,
        deadUnits: segments.reduce((sum, { row }) => sum + row.deadUnits, 0),
      })),
    dump: () => reading(({ segments }, connection) => dumpDocuments(segments, connection)),
    maintain: (milliseconds) => advance(milliseconds, idlePolicy),
    compact() {
      task = undefined;
      mergeAll(thoroughPolicy, Number.POSITIVE_INFINITY);
      container.tidy();
    },
    beginReading,
    endReading,
    close: () => container.close(),
  };
}

function livingDocuments(segments: readonly SegmentReader[]): number {
  return segments.reduce((sum, { row }) => sum + row.documents - row.deadDocuments, 0);
}
