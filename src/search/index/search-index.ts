import { digestFrom, type Stamped } from "../../kernel/folder-digest.ts";
import { applyChange } from "./apply-change.ts";
import type { Connection } from "./connection.ts";
import type { Container } from "./container.ts";
import { readAt, readDocument } from "./document-rows.ts";
import { type DumpedDocument, dumpDocuments } from "./dump-documents.ts";
import { readDocumentsIn, readFolders, readFoldersAt } from "./folder-rows.ts";
import { createGonePaths } from "./gone-paths.ts";
import { holdChanges } from "./hold-changes.ts";
import type { ChangeOutcome, IndexChange } from "./index-change.ts";
import { IndexFailure } from "./index-failure.ts";
import { createSnapshotKeeper, type IndexSnapshot, type KeptSnapshot, type SnapshotKeeper } from "./index-snapshot.ts";
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
  /**
   * The same in memory, and far sooner: this process finds it at once, others when it is written, by `flush` or with
   * what comes next. False where the change is too large for that: then it is to be applied.
   */
  hold(change: IndexChange): boolean;
  /** Writes what is held. What comes of it is told once, by `takeFlushed`: other calls write it as well. */
  flush(): void;
  /** What came of writing what was held, since this was last asked. */
  takeFlushed(): Flushed;
  /** The digest of each folder that has documents; NaN where a document must be looked at again. */
  folders(): Map<string, number>;
  /** What the index has at a path, by one look. */
  lookAt(path: string): KnownPath;
  /**
   * A look found no document at this path, nor below it. Where another process that saw one before puts it in
   * nevertheless, whoever reads next is told by a failure, and what was put in by `takeFlushed`.
   */
  expectGone(path: string): void;
  /** Of the folders that have documents, the one of this path and all below it; it may name one that has none any more. */
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
  /** Whether a failure that somebody met who read several is of this one, as far as that is known. */
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

interface Flushed extends ChangeOutcome {
  /** Of what was written: documents that the index did not have, and their stamps. */
  readonly added: ReadonlyMap<string, number>;
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
  let held = holdChanges();
  /** Paths that a look did not find, and the version before it: while that lasts, nobody has put them in. */
  const absent = new Map<string, number>();
  const gone = createGonePaths();
  /** Whether a transaction was begun for whoever reads. */
  let isReading = false;
  const conflicts = new Set<string>();
  let added = new Map<string, number>();

  function current(): SnapshotKeeper {
    const connection = container.connection();
    if (keeper?.connection === connection) return keeper;
    keeper = createSnapshotKeeper(connection, cacheBytes);
    task = undefined;
    // Whoever looks at all documents again sees it again.
    held = holdChanges();
    absent.clear();
    gone.clear();
    return keeper;
  }

  /** The same without a look whether another database has taken its place: who reads or writes next notices that. */
  function latest(): SnapshotKeeper {
    return keeper?.connection.isOpen ? keeper : current();
  }

  function beginReading(): IndexSnapshot {
    const reader = current();
    absent.clear();
    // A user has more than one root, and often nothing in most of them.
    isReading = held.size > 0 || !reader.isEmpty();
    if (!isReading) return reader.snapshot;
    reader.connection.run("BEGIN");
    try {
      const snapshot = reader.current();
      expectNoneReturned(snapshot.version, reader.connection);
      return held.size === 0 ? snapshot : held.over(snapshot, reader.connection);
    } catch (error) {
      if (error instanceof IndexFailure) error.of ??= container;
      endReading();
      throw error;
    }
  }

  function expectNoneReturned(version: number, connection: Connection): void {
    const returned = gone.takeReturned(version, connection, (path) => held.get(path) !== undefined);
    if (returned.length === 0) return;
    for (const path of returned) conflicts.add(path);
    throw new IndexFailure("overtaken", "another process has indexed documents that are gone");
  }

  function endReading(): void {
    if (isReading && keeper?.connection.isOpen) keeper.connection.run("COMMIT");
    isReading = false;
  }

  function reading<Result>(work: (snapshot: KeptSnapshot, connection: Connection) => Result): Result {
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

  function forgetGone({ put }: IndexChange): void {
    for (const { path } of put) gone.delete(path);
  }

  function write(change: IndexChange): ChangeOutcome {
    forgetGone(change);
    const begun = performance.now();
    const outcome = applyChange(current(), change);
    if (mergeAll(lazyPolicy, inlineUnits) > crowded) advance((performance.now() - begun) / 2, lazyPolicy);
    return outcome;
  }

  /** Writes what is held. */
  function settle(): void {
    current();
    if (held.size === 0) return;
    const { put, remove, seen } = held.take();
    const outcome = write({ put, remove, seen });
    for (const path of outcome.conflicts) conflicts.add(path);
    for (const { path, stamp } of put) if (seen.get(path) === undefined && !conflicts.has(path)) added.set(path, stamp);
  }

  function settled<Result>(work: (snapshot: KeptSnapshot, connection: Connection) => Result): Result {
    settle();
    return reading(work);
  }

  return {
    apply(change) {
      settle();
      return write(change);
    },
    hold(change) {
      latest();
      // Vectors are compared in memory that is made for those of the database.
      if (hasVectors(change) && !reading(({ segments }) => segments.some(({ dimensions }) => dimensions > 0)))
        return false;
      const isHeld = held.add(change, absent);
      if (isHeld) forgetGone(change);
      absent.clear();
      return isHeld;
    },
    flush: settle,
    takeFlushed() {
      const flushed = { conflicts: [...conflicts], added };
      conflicts.clear();
      added = new Map();
      return flushed;
    },
    folders: () =>
      settled(({ segments }, connection) => {
        const rows = readFolders(connection, livingDocuments(segments));
        return new Map(rows.map((row) => [row.folder, row.unsettled === 0 ? digestFrom(row) : Number.NaN]));
      }),
    lookAt(path) {
      const { connection, snapshot } = latest();
      const own = held.get(path);
      const { document, mayBeFolder } = readAt(connection, path);
      if (!document && !own) absent.set(path, snapshot.version);
      return {
        stamp: own ? own.document?.stamp : document?.stamp,
        mayBeFolder: mayBeFolder || held.foldersAt(path).length > 0,
      };
    },
    expectGone: gone.add,
    foldersAt: (path) => {
      const { connection } = latest();
      return [...new Set([...readFoldersAt(connection, path), ...held.foldersAt(path)])];
    },
    documentsIn: (folder) =>
      settled((_, connection) =>
        readDocumentsIn(connection, folder)
          .map(({ path, stamp }) => ({ path, stamp }))
          .sort((left, right) => (left.path < right.path ? -1 : 1)),
      ),
    stampOf: (path) => {
      const { connection } = latest();
      const own = held.get(path);
      return own ? own.document?.stamp : readDocument(connection, path)?.stamp;
    },
    counts: () =>
      settled(({ segments, units }) => ({
        documents: livingDocuments(segments),
        units,
        segments: segments.length,
        deadUnits: segments.reduce((sum, { row }) => sum + row.deadUnits, 0),
      })),
    dump: () => settled(({ segments }, connection) => dumpDocuments(segments, connection)),
    maintain: (milliseconds) => {
      settle();
      return advance(milliseconds, idlePolicy);
    },
    compact() {
      settle();
      task = undefined;
      mergeAll(thoroughPolicy, Number.POSITIVE_INFINITY);
      container.tidy();
    },
    beginReading,
    isOf: ({ of }) => of === undefined || of === container,
    endReading,
    close: () => container.close(),
  };
}

function hasVectors({ put }: IndexChange): boolean {
  return put.some(({ vectors }) => vectors?.some((vector) => vector));
}

function livingDocuments(segments: readonly SegmentReader[]): number {
  return segments.reduce((sum, { row }) => sum + row.documents - row.deadDocuments, 0);
}
