import { setImmediate } from "node:timers/promises";
import { isRecollectError } from "../core/errors.ts";
import type { Source } from "../core/source.ts";
import { findAllChanges, findChangesAt, type Outdated } from "./find-changes.ts";
import { IndexFailure } from "./index/index-failure.ts";
import type { OpenedIndex } from "./index/open-index.ts";
import type { SearchIndex } from "./index/search-index.ts";
import type { IndexBatch } from "./index-batches.ts";
import { createIndexMaintenance } from "./maintain-index.ts";
import { type PrepareOptions, prepareBatches } from "./prepare-batches.ts";
import type { IndexProgress, OnIndexProgress } from "./search.ts";
import type { DocumentKind } from "./unit.ts";

export interface RootIndexOptions extends Omit<PrepareOptions, "source" | "isOver"> {
  readonly source: Source;
  readonly kind: DocumentKind;
  /** The index that is kept, and the one to fall back on. */
  readonly openIndex: () => OpenedIndex;
  readonly openMemoryIndex: () => SearchIndex;
  /** Takes the index that is kept away; whoever has it open begins anew. */
  readonly discardIndex: () => void;
  /**
   * Lets another process do the same to the index that is kept, where there are many documents. False where it did not
   * come to its end; what it has done stays.
   */
  readonly buildElsewhere?: (
    onProgress: (progress: Pick<IndexProgress, "done" | "total">) => void,
    signal: AbortSignal,
  ) => Promise<boolean>;
  /** Whether to watch the root, since the process stays. */
  readonly watches: boolean;
}

/** One root with its index, and who keeps the second like the first. */
export interface RootIndex {
  readonly source: Source;
  readonly kind: DocumentKind;
  /** The index as it is; another one after a failure. */
  index(): SearchIndex;
  /**
   * Afterwards the index has all that was finished before this call, or, where that takes longer than the patience,
   * what it has so far: then the answer says how far it is. The work goes on.
   */
  freshen(patienceMs: number, onProgress?: OnIndexProgress): Promise<IndexProgress | undefined>;
  /** The same for these documents alone, which nobody needs to look for. */
  update(paths: readonly string[]): Promise<void>;
  /** These were just written here: the next look has them, and comes soon by itself. */
  written(paths: readonly string[]): Promise<void>;
  rebuild(onProgress?: OnIndexProgress): Promise<void>;
  /** Under which stamp the index has a document; undefined where it does not, or is lost this moment. */
  stampOf(path: string): number | undefined;
  /** Whether everything was looked at since the index was begun. */
  isComplete(): boolean;
  /**
   * Somebody met this failure on reading, here or in another root: the next look is at everything. Where it lasts, an
   * index in memory takes its place.
   */
  failed(failure: IndexFailure, isLasting: boolean): void;
  warnings(): readonly string[];
  close(): Promise<void>;
}

/** Fewer than these are indexed before anybody wants to know how far it is. */
const worthTelling = 500;
/** From here on one look at everything is cheaper than many at parts. */
const manyPaths = 200;
/** Longer than two changes of a file may look like one. */
const settleMs = 100;
/** How long to do with an index in memory before the one that is kept is tried again. */
const memoryMs = 30_000;
/** How long after a look at everything the next one is due, while changes are noticed: a five-hundredth of the time at most. */
const leastRestMs = 5 * 60_000;
const restFactor = 500;
/** How long nothing is held in memory after another process has indexed the same. */
const writeThroughMs = 1000;
/** Where another process indexes as well, documents are looked at again; it can hardly be faster for ever. */
const mostRounds = 20;

export function createRootIndex(options: RootIndexOptions): RootIndex {
  const { source, kind, now } = options;
  const { root } = source;
  let current: SearchIndex | undefined;
  let inMemory: { readonly why: string; readonly since: number } | undefined;
  let whyUnwatched: string | undefined;
  /** Set while the root itself is out of reach, and nothing of it is searched. */
  let whyAway: string | undefined;
  let hasWatched = false;
  /** False until everything was looked at once, and after a failure. */
  let isComplete = false;
  /** Counts them, so that work that was begun before one does not pass for complete. */
  let failures = 0;
  let progress: IndexProgress | undefined;
  const listeners = new Set<OnIndexProgress>();
  let isClosed = false;
  const closing = new AbortController();
  /** Named by the source, and not looked at yet. */
  const named = new Set<string>();
  /** The same, found while what the index held in memory was written. */
  const overtaken = new Set<string>();
  let overtakenAt = Number.NEGATIVE_INFINITY;
  const maintenance = createIndexMaintenance(index, flush, (failure) => failed(failure, false));
  let lookAgain: NodeJS.Timeout | undefined;
  let lookSoon: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;

  function index(): SearchIndex {
    current ??= open();
    return current;
  }

  /** Where the one that is kept cannot be used, search goes on with one in memory. */
  function open(): SearchIndex {
    const opened = options.openIndex();
    if (opened.kind === "open") return opened.index;
    inMemory = { why: opened.reason, since: now() };
    return options.openMemoryIndex();
  }

  /** What was in the way may be gone. Until it is, the one in memory stays as it is. */
  function leaveMemory(): void {
    if (!inMemory || now() - inMemory.since < memoryMs) return;
    const opened = options.openIndex();
    inMemory = opened.kind === "open" ? undefined : { why: opened.reason, since: now() };
    if (opened.kind === "open") replaceWith(opened.index);
  }

  function replaceWith(index: SearchIndex | undefined): void {
    current?.close();
    current = index;
    isComplete = false;
  }

  function failed({ kind, reason }: IndexFailure, isLasting: boolean): void {
    if (kind === "overtaken") {
      overtakenAt = now();
      flush();
      return;
    }
    failures += 1;
    isComplete = false;
    if (!isLasting || isClosed) return;
    replaceWith(options.openMemoryIndex());
    inMemory = { why: reason, since: now() };
  }

  /** Writes what the index holds in memory. What another process was faster with is looked at again. */
  function flush(): void {
    if (!current) return;
    try {
      const { conflicts, added } = current.flush();
      for (const path of conflicts) overtaken.add(path);
      if (added.size > 0) void inTurn(() => takeOutGone(added)).catch(notComplete);
    } catch (error) {
      notComplete(error);
    }
  }

  /** Of what was just written for others to find: what went away before it was. */
  async function takeOutGone(added: ReadonlyMap<string, number>): Promise<void> {
    const paths = await gone(added.keys());
    if (paths.length === 0) return;
    const seen = new Map(paths.map((path) => [path, added.get(path)]));
    for (const path of index().apply({ put: [], remove: paths, seen }).conflicts) overtaken.add(path);
  }

  function notComplete(error: unknown): void {
    isComplete = false;
    if (error instanceof IndexFailure) failed(error, false);
    else if (!isRecollectError(error)) throw error;
  }

  /** A root that cannot be looked into, such as a file in a folder's place, hides nothing of the others. */
  function doWithout(why: string): void {
    replaceWith(options.openMemoryIndex());
    whyAway = why;
    isComplete = true;
  }

  async function watch(): Promise<void> {
    if (!options.watches || hasWatched) return;
    hasWatched = true;
    const watched = await source.watch();
    whyUnwatched = watched.kind === "unwatched" ? watched.reason : undefined;
  }

  /** More than `most` are found by a look at everything alone, which ends there. */
  async function findOutdated(most?: number): Promise<Outdated> {
    await watch();
    const changed = await source.changes();
    for (const path of [...(changed ?? []), ...overtaken]) named.add(path);
    overtaken.clear();
    if (changed !== undefined) whyUnwatched = undefined;
    if (changed !== undefined && isComplete && named.size <= manyPaths) {
      return findChangesAt([...named], source, index());
    }
    const begun = now();
    const outdated = await findAllChanges(source, index(), most);
    if (options.watches) lookAgainAfter(Math.max(leastRestMs, restFactor * (now() - begun)));
    if (named.size > 0) {
      const atNamed = await findChangesAt([...named].slice(0, manyPaths), source, index());
      for (const [path, stamp] of atNamed) outdated.set(path, stamp);
    }
    return outdated;
  }

  /** The kernel does not tell of everything: not of writes through a mapping, nor of what is mounted. */
  function lookAgainAfter(ms: number): void {
    clearTimeout(lookAgain);
    lookAgain = setTimeout(() => {
      isComplete = false;
      next().catch(() => undefined);
    }, ms).unref();
  }

  async function bringUpToDate(): Promise<void> {
    let elsewhere = options.buildElsewhere;
    for (let round = 0; round < mostRounds && !isClosed; round++) {
      if (await isUpToDate(elsewhere)) return;
      // What that one leaves is little, or for others to do.
      elsewhere = undefined;
    }
  }

  /** False where another process was faster, or the index failed: then it is to be done once more. */
  async function isUpToDate(elsewhere: RootIndexOptions["buildElsewhere"]): Promise<boolean> {
    try {
      if (whyAway !== undefined) replaceWith(undefined);
      whyAway = undefined;
      leaveMemory();
      const before = failures;
      const conflicts = await indexOutdated(elsewhere);
      if (!conflicts || failures !== before) return false;
      named.clear();
      for (const path of conflicts) named.add(path);
      isComplete = true;
      return conflicts.length === 0;
    } catch (error) {
      isComplete = false;
      if (isRecollectError(error)) {
        doWithout(error.message);
        return true;
      }
      if (!(error instanceof IndexFailure)) throw error;
      failed(error, error.kind === "unavailable");
      return false;
    }
  }

  /** Undefined where another process was let do it. */
  async function indexOutdated(elsewhere: RootIndexOptions["buildElsewhere"]): Promise<string[] | undefined> {
    index();
    const most = options.manyDocuments ?? 0;
    // Nobody else has what is in memory.
    const other = inMemory ? undefined : elsewhere;
    const outdated = await findOutdated(other && most);
    if (!other || outdated.size <= most) return indexAll(outdated);
    const before = failures;
    try {
      const isBuilt = await other((made) => tell({ root, ...made }), closing.signal);
      // What came after it had begun was noticed here, where anything is.
      if (isBuilt && failures === before) isComplete = true;
    } finally {
      progress = undefined;
    }
    return undefined;
  }

  function tell(made: IndexProgress): void {
    progress = made;
    for (const listener of listeners) listener(made);
  }

  async function indexAll(outdated: Outdated): Promise<string[]> {
    const conflicts: string[] = [];
    const total = outdated.size;
    if (total === 0) return conflicts;
    let done = 0;
    if (total > worthTelling) tell({ root, done, total });
    try {
      for await (const batch of prepareBatches(outdated, { ...options, isOver: () => isClosed })) {
        if (isClosed) break;
        conflicts.push(...(await put(batch)));
        done += batch.seen.size;
        if (progress) tell({ root, done, total });
        if (done < total) await setImmediate();
      }
    } finally {
      progress = undefined;
    }
    return conflicts;
  }

  /** A process that stays keeps little changes in memory for a while: to write them takes longer than to search. */
  async function put(batch: IndexBatch): Promise<readonly string[]> {
    if (options.watches) maintenance.touched();
    if (options.watches && now() - overtakenAt > writeThroughMs && index().hold(batch)) return [];
    flush();
    return [...index().apply(batch).conflicts, ...(await goneSince(batch))];
  }

  /**
   * Documents that went away after they were read and before they were in the index. Another process that was told of
   * it found nothing to take out, and is not told again.
   */
  async function goneSince({ put, seen }: IndexBatch): Promise<string[]> {
    const documents: readonly { readonly path: string }[] = "image" in put ? put.documents : put;
    const fresh = documents.filter(({ path }) => seen.get(path) === undefined);
    return fresh.length > manyPaths ? [] : gone(fresh.map(({ path }) => path));
  }

  async function gone(paths: Iterable<string>): Promise<string[]> {
    const missing: string[] = [];
    for (const path of paths) if (!(await isThere(path))) missing.push(path);
    return missing;
  }

  async function isThere(path: string): Promise<boolean> {
    for await (const { documents } of source.survey(path)) if (documents.some((one) => one.path === path)) return true;
    return false;
  }

  /** One after the other: whatever changes or replaces the index. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  }

  /** Who comes before the next look has begun is served by it. */
  function next(): Promise<void> {
    waiting ??= inTurn(() => {
      waiting = undefined;
      return bringUpToDate();
    });
    return waiting;
  }

  async function listening<Result>(
    listener: OnIndexProgress | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (!listener) return work();
    listeners.add(listener);
    if (progress) listener(progress);
    try {
      return await work();
    } finally {
      listeners.delete(listener);
    }
  }

  async function update(paths: readonly string[]): Promise<void> {
    for (const path of paths) named.add(path);
    await inTurn(async () => {
      // Whoever has not looked around yet finds these with everything else.
      if (!isComplete || isClosed) return;
      const conflicts = await indexAll(await findChangesAt(paths, source, index()));
      for (const path of paths) if (!conflicts.includes(path)) named.delete(path);
    }).catch(() => {
      isComplete = false;
    });
  }

  /**
   * A search that comes at once does it, and once. Else it waits until the documents have settled: before, nobody could
   * tell them from later ones, and they would be indexed again.
   */
  async function written(paths: readonly string[]): Promise<void> {
    if (!options.watches) return update(paths);
    for (const path of paths) named.add(path);
    clearTimeout(lookSoon);
    if (isClosed) return;
    lookSoon = setTimeout(() => {
      if (named.size > 0 && isComplete) next().catch(() => undefined);
    }, settleMs).unref();
  }

  return {
    source,
    kind,
    index,
    update,
    written,
    freshen: (patienceMs, onProgress) =>
      listening(onProgress, async () => {
        const work = next();
        if (patienceMs === Number.POSITIVE_INFINITY) await work;
        else if (!(await isDoneWithin(work, patienceMs))) return progress ?? { root, done: 0, total: 0 };
        return undefined;
      }),
    rebuild: (onProgress) =>
      listening(onProgress, async () => {
        await inTurn(async () => {
          replaceWith(undefined);
          inMemory = undefined;
          options.discardIndex();
          await bringUpToDate();
        });
      }),
    isComplete: () => isComplete,
    failed,
    stampOf: (path) => {
      try {
        return index().stampOf(path);
      } catch (error) {
        // An index says once that it is lost: whoever hears it must pass it on.
        if (!(error instanceof IndexFailure)) throw error;
        failed(error, false);
        return undefined;
      }
    },
    warnings: () => [
      ...(whyAway === undefined ? [] : [`“${root}” is not searched now: ${whyAway}`]),
      ...(inMemory ? [toMemoryWarning(root, inMemory.why)] : []),
      ...(whyUnwatched === undefined || whyAway !== undefined ? [] : [whyUnwatched]),
    ],
    close: async () => {
      isClosed = true;
      closing.abort();
      maintenance.stop();
      clearTimeout(lookAgain);
      clearTimeout(lookSoon);
      await last;
      flush();
      await last;
      source.close();
      current?.close();
    },
  };
}

function toMemoryWarning(root: string, why: string): string {
  return `The search index of “${root}” is kept in memory for now: ${why}.`;
}

/** The work goes on either way; its failure is the caller's only where it comes in time. */
async function isDoneWithin(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true as const), late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
