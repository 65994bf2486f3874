import { isRecollectError } from "../kernel/errors.ts";
import { inTime } from "../kernel/in-time.ts";
import type { Source } from "../kernel/source.ts";
import { type CurrentIndexOptions, createCurrentIndex } from "./current-index.ts";
import { findAllChanges, findChangesAt, type Outdated, type Survey } from "./find-changes.ts";
import { IndexFailure } from "./index/index-failure.ts";
import type { SearchIndex } from "./index/search-index.ts";
import { createProgressTeller } from "./index-progress.ts";
import type { PrepareOptions } from "./prepare-batches.ts";
import type { IndexProgress, OnIndexProgress } from "./search.ts";
import type { DocumentKind } from "./unit.ts";
import { createDocumentWriter } from "./write-documents.ts";

export interface RootIndexOptions extends Omit<PrepareOptions, "source" | "isOver">, CurrentIndexOptions {
  readonly source: Source;
  readonly kind: DocumentKind;
  /** Takes the index that is kept away; whoever has it open begins anew. */
  readonly discardIndex: () => void;
  /** From how many documents on another process is let do it; any number by default. */
  readonly manyDocuments?: number;
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
  /** These were just written here: the index has them soon, or with the next look. */
  written(paths: readonly string[]): void;
  rebuild(onProgress?: OnIndexProgress): Promise<void>;
  /** Under which stamp the index has a document; undefined where it does not, or is lost this moment. */
  stampOf(path: string): number | undefined;
  /** Whether everything was looked at since the index was begun. */
  isComplete(): boolean;
  /**
   * Somebody met this failure on reading, here or in another root, whose it is then: the next look is at everything.
   * Where it lasts, an index in memory takes its place.
   */
  failed(failure: IndexFailure, isLasting: boolean): void;
  warnings(): readonly string[];
  close(): Promise<void>;
}

/** From here on one look at everything is cheaper than many at parts. */
const manyPaths = 200;
/** Longer than two changes of a file may look like one. */
const settleMs = 100;
/** In characters: taken apart within a few milliseconds. */
const littleText = 64 * 1024;
/** How long after a look at everything the next one is due, while changes are noticed: a five-hundredth of the time at most. */
const leastRestMs = 5 * 60_000;
const restFactor = 500;
/** Also where the machine slept in the middle of one. */
const mostRestMs = 60 * 60_000;
/** Where another process indexes as well, documents are looked at again; it can hardly be faster for ever. */
const mostRounds = 20;

export function createRootIndex(options: RootIndexOptions): RootIndex {
  const { source, kind, now } = options;
  const { root } = source;
  const progress = createProgressTeller(root);
  const current = createCurrentIndex(options, () => {
    isComplete = false;
  });
  const writer = createDocumentWriter({
    ...options,
    index: current.get,
    maintains: options.watches,
    isAwaited: () => awaited > 0,
    isLeft: (path, characters) => {
      const isLong = awaited === 0 && characters > littleText;
      if (isLong) left.add(path);
      return isLong;
    },
    isOver: () => isClosed,
    progress,
    onUnreadable: (path, { message }) => void unreadable.set(path, message),
    failed: (failure) => failed(failure, false),
  });
  let whyUnwatched: string | undefined;
  /** Set while the root itself is out of reach, and nothing of it is searched. */
  let whyAway: string | undefined;
  let hasWatched = false;
  /** False until everything was looked at once, and after a failure. */
  let isComplete = false;
  /** Counts them, so that work that was begun before one does not pass for complete. */
  let failures = 0;
  let isClosed = false;
  const closing = new AbortController();
  /** Named by the source, and not looked at yet. */
  const named = new Set<string>();
  /** Too long to be indexed before a search waits for them. */
  const left = new Set<string>();
  /** How many searches wait for a look. */
  let awaited = 0;
  /** At the last look, and why: each look tries them again. */
  const unreadable = new Map<string, string>();
  let lookAgain: NodeJS.Timeout | undefined;
  let updateSoon: NodeJS.Timeout | undefined;
  /** Written here so lately that their stamps do not tell them from later versions. */
  const recent = new Set<string>();
  let last: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;

  function failed({ reason }: IndexFailure, isLasting: boolean): void {
    failures += 1;
    isComplete = false;
    if (isLasting && !isClosed) current.replaceByMemory(reason);
  }

  /** A root that cannot be looked into, such as a file in a folder's place, hides nothing of the others. */
  function doWithout(why: string): void {
    current.replaceByMemory();
    whyAway = why;
    isComplete = true;
  }

  async function askWhyUnwatched(): Promise<void> {
    const watched = await source.watch();
    whyUnwatched = watched.kind === "unwatched" ? watched.reason : undefined;
  }

  /** False where only a look at everything tells what has changed. */
  async function askChanges(): Promise<boolean> {
    if (options.watches && !hasWatched) {
      hasWatched = true;
      await askWhyUnwatched();
      // Nothing was noticed before; what is from now on, the next one is told.
      return false;
    }
    const changed = await source.changes();
    for (const path of changed ?? []) named.add(path);
    if (changed !== undefined) whyUnwatched = undefined;
    // A watch can end, such as by too many folders.
    else if (options.watches && whyUnwatched === undefined) await askWhyUnwatched();
    return changed !== undefined;
  }

  /** Undefined where what was named is all that has changed. */
  async function beginSurvey(): Promise<Survey | undefined> {
    const isTold = await askChanges();
    for (const path of unreadable.keys()) named.add(path);
    unreadable.clear();
    return isTold && isComplete && named.size <= manyPaths ? undefined : source.survey();
  }

  /** More than `most` are found by a survey of everything alone, which ends there. */
  async function findOutdated(
    survey: Survey | undefined,
    asked: readonly string[],
    most: number | undefined,
  ): Promise<Outdated> {
    if (!survey) return findChangesAt(asked, source, current.get());
    const begun = now();
    const outdated = await findAllChanges(survey, current.get(), most);
    if (options.watches) lookAgainAfter(Math.min(Math.max(leastRestMs, restFactor * (now() - begun)), mostRestMs));
    const atAsked = await findChangesAt(asked.slice(0, manyPaths), source, current.get());
    for (const [path, stamp] of atAsked) outdated.set(path, stamp);
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

  /** False where it is to be done once more: another process was faster, or the index failed. */
  async function isUpToDate(elsewhere: RootIndexOptions["buildElsewhere"]): Promise<boolean> {
    try {
      if (whyAway !== undefined) current.reopen();
      whyAway = undefined;
      current.leaveMemory();
      const before = failures;
      const again = await indexOutdated(elsewhere);
      if (!again || failures !== before) return false;
      for (const path of again) named.add(path);
      isComplete = true;
      return again.length === 0;
    } catch (error) {
      return canDoWithout(error);
    }
  }

  /** False where it is to be done once more. */
  function canDoWithout(error: unknown): boolean {
    // Where no search waits for it, the next one does it.
    if (error instanceof IndexFailure && error.kind === "busy") return awaited === 0;
    isComplete = false;
    if (isRecollectError(error)) {
      doWithout(error.message);
      return true;
    }
    if (!(error instanceof IndexFailure)) throw error;
    failed(error, error.kind === "unavailable");
    return false;
  }

  /** Undefined where another process was let do it. */
  async function indexOutdated(elsewhere: RootIndexOptions["buildElsewhere"]): Promise<readonly string[] | undefined> {
    const survey = await beginSurvey();
    const asked = [...named];
    // Only an index that was opened tells whether it is one in memory.
    current.get();
    const most = options.manyDocuments ?? 0;
    // Nobody else has what is in memory.
    const other = current.whyInMemory() === undefined ? elsewhere : undefined;
    const outdated = await findOutdated(survey, asked, other && most);
    if (!other || outdated.size <= most) return writeOutdated(outdated, asked);
    const before = failures;
    try {
      const isBuilt = await other(progress.tell, closing.signal);
      // What came after it had begun was noticed here, where anything is.
      if (isBuilt && failures === before) isComplete = true;
    } finally {
      progress.end();
    }
    return undefined;
  }

  /** Answers which are to be looked at again. */
  async function writeOutdated(outdated: Outdated, asked: readonly string[]): Promise<readonly string[]> {
    left.clear();
    const again = await writer.write(outdated);
    for (const path of asked) named.delete(path);
    for (const path of left) named.add(path);
    // A search has come meanwhile.
    return awaited > 0 ? [...again, ...left] : again;
  }

  /** One after the other: whatever changes or replaces the index. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  }

  async function awaiting<Result>(work: () => Promise<Result>): Promise<Result> {
    awaited += 1;
    try {
      return await work();
    } finally {
      awaited -= 1;
    }
  }

  /** A search that comes before the next look has begun is served by it. */
  function next(): Promise<void> {
    waiting ??= inTurn(() => {
      waiting = undefined;
      return bringUpToDate();
    });
    return waiting;
  }

  async function update(paths: readonly string[]): Promise<void> {
    for (const path of paths) named.add(path);
    await inTurn(async () => {
      // The first look at everything finds these as well.
      if (!isComplete || isClosed) return;
      try {
        const again = await writeOutdated(await findChangesAt(paths, source, current.get()), paths);
        for (const path of again) named.add(path);
      } catch (error) {
        // Another process is writing: the next search does it.
        if (!(error instanceof IndexFailure && error.kind === "busy")) isComplete = false;
      }
    });
  }

  /** Some time after the write, with others that come meanwhile: no writer waits for an index. */
  function written(paths: readonly string[]): void {
    // Without a watch each search looks at everything.
    if (!options.watches || isClosed) return;
    for (const path of paths) {
      named.add(path);
      recent.add(path);
    }
    clearTimeout(updateSoon);
    updateSoon = setTimeout(() => {
      const settled = [...recent];
      recent.clear();
      void followWritten(settled);
    }, settleMs).unref();
  }

  /** With what is noticed of these and others; where nothing is, at these alone: all may take seconds. */
  async function followWritten(paths: readonly string[]): Promise<void> {
    for (const path of paths) named.add(path);
    if (whyUnwatched === undefined && isComplete && !isClosed) await next().catch(() => undefined);
    else await update(paths);
  }

  return {
    source,
    kind,
    index: current.get,
    update,
    written,
    freshen: (patienceMs, onProgress) =>
      progress.listening(onProgress, () =>
        awaiting(async () => {
          const work = next();
          if (patienceMs === Number.POSITIVE_INFINITY) await work;
          else if ((await inTime(work, patienceMs, () => "late")) === "late")
            return progress.current() ?? { root, done: 0, total: 0 };
          return undefined;
        }),
      ),
    rebuild: (onProgress) =>
      progress.listening(onProgress, () =>
        awaiting(() =>
          inTurn(async () => {
            current.reopen();
            options.discardIndex();
            await bringUpToDate();
          }),
        ),
      ),
    isComplete: () => isComplete,
    failed: (failure, isLasting) => {
      if (current.opened()?.isOf(failure) !== false) failed(failure, isLasting);
    },
    stampOf: (path) => {
      try {
        return current.get().stampOf(path);
      } catch (error) {
        // An index says once that it is lost: whoever hears it must pass it on.
        if (!(error instanceof IndexFailure)) throw error;
        failed(error, false);
        return undefined;
      }
    },
    warnings: () => [
      ...(whyAway === undefined ? [] : [`“${root}” is not searched now: ${whyAway}`]),
      ...memoryWarnings(root, current.whyInMemory()),
      ...unreadableWarnings([...unreadable.values()]),
      ...refusedWarnings(root, source.refused?.() ?? []),
      ...(whyUnwatched === undefined || whyAway !== undefined ? [] : [whyUnwatched]),
    ],
    close: async () => {
      isClosed = true;
      closing.abort();
      writer.stop();
      clearTimeout(lookAgain);
      clearTimeout(updateSoon);
      await last;
      source.close();
      current.close();
    },
  };
}

function unreadableWarnings([first, ...others]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  return [`${first} It is found as it was when it was read last, if at all.${sameFor(others)}`];
}

function refusedWarnings(root: string, [first, ...others]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  return [`“${first}” in “${root}” may not be read by this user, so it is not searched.${sameFor(others)}`];
}

function sameFor({ length }: readonly string[]): string {
  return length === 0 ? "" : ` The same goes for ${length} more.`;
}

function memoryWarnings(root: string, why: string | undefined): readonly string[] {
  return why === undefined ? [] : [`The search index of “${root}” is kept in memory for now: ${why}.`];
}
