import { setImmediate } from "node:timers/promises";
import { askSource, type Source, UnreadableDocument } from "../kernel/source.ts";
import { describeAgain } from "./describe-again.ts";
import type { Outdated } from "./find-changes.ts";
import type { IndexFailure } from "./index/index-failure.ts";
import type { SearchIndex } from "./index/search-index.ts";
import type { IndexBatch } from "./index-batches.ts";
import type { ProgressTeller } from "./index-progress.ts";
import { createIndexMaintenance } from "./maintain-index.ts";
import { type Describe, isFew, type PrepareOptions, prepareBatches, prepareFew } from "./prepare-batches.ts";

export interface DocumentWriterOptions extends PrepareOptions {
  readonly source: Source;
  readonly index: () => SearchIndex;
  /** Undefined where none is open. */
  readonly openedIndex: () => SearchIndex | undefined;
  /** Whether little changes may stay in memory for a while, since the process does. */
  readonly holds: boolean;
  readonly progress: ProgressTeller;
  /** Something was not written; where it was by this failure, the index may be lost. */
  readonly notWritten: (error: unknown) => void;
  /** An index says once that it is lost: whoever hears it must pass it on. */
  readonly failed: (failure: IndexFailure) => void;
}

/** Brings documents into the index of a root. */
export interface DocumentWriter {
  /** Answers which are to be looked at again: another process was faster, or they went away meanwhile. */
  write(outdated: Outdated): Promise<readonly string[]>;
  /**
   * The same for what takes no time: little texts, into memory, for somebody who has something else to do. Answers which
   * are left.
   */
  writeLittle(outdated: Outdated): Promise<readonly string[]>;
  /** Writes what the index holds in memory. */
  flush(): void;
  /** Another process has indexed what is held here: for a while nothing is held. */
  writeThrough(): void;
  /** Whether there is something of the following. */
  isOvertaken(): boolean;
  /** What turned out to be looked at again when held changes were written, by whatever call, since the last time. */
  takeOvertaken(): readonly string[];
  stop(): void;
  /** What was written is looked for once more. */
  settled(): Promise<void>;
}

/** Fewer than these are indexed before anybody wants to know how far it is. */
const worthTelling = 500;
/** Who listens is told at most so often, and another process, too, to which each time is a message. */
const toldParts = 100;
/** In characters: taken apart within a few milliseconds. */
const littleText = 64 * 1024;
/** How long nothing is held in memory after another process has indexed the same. */
const writeThroughMs = 1000;
/** So many new documents are looked for once more; where there are more of them, a survey comes soon enough. */
const mostLookedFor = 200;

export function createDocumentWriter(options: DocumentWriterOptions): DocumentWriter {
  const { source, index, progress, now } = options;
  let overtaken = new Set<string>();
  let overtakenAt = Number.NEGATIVE_INFINITY;
  const checks = new Set<Promise<void>>();
  const maintenance = createIndexMaintenance(index, flush, options.failed);
  let describeFew: Describe | undefined;
  const forFew = {
    ...options,
    describer: async () => {
      describeFew ??= describeAgain(await options.describer());
      return describeFew;
    },
  };

  function flush(): void {
    try {
      options.openedIndex()?.flush();
    } catch (error) {
      options.notWritten(error);
    }
    followFlushed();
  }

  /** Whatever looks at the index may have written what it held: nobody else hears what came of that. */
  function followFlushed(): void {
    const { conflicts, added } = options.openedIndex()?.takeFlushed() ?? noneFlushed;
    for (const path of conflicts) overtaken.add(path);
    if (added.size === 0) return;
    // Not in turn: others would find them as long as the look that is under way lasts.
    const check = takeOutGone(added).catch(options.notWritten);
    checks.add(check);
    void check.then(() => checks.delete(check));
  }

  /** Of what was just written for others to find: what went away before it was. */
  async function takeOutGone(added: ReadonlyMap<string, number>): Promise<void> {
    const paths = await gone([...added.keys()]);
    if (paths.length === 0) return;
    const seen = new Map(paths.map((path) => [path, added.get(path)]));
    for (const path of index().apply({ put: [], remove: paths, seen }).conflicts) overtaken.add(path);
  }

  async function write(outdated: Outdated): Promise<readonly string[]> {
    if (outdated.size === 0) return none;
    if (!isFew(outdated)) return writeMany(outdated);
    const batch = await prepareFew(outdated, forFew);
    return batch && !options.isOver() ? put(batch) : none;
  }

  async function writeLittle(outdated: Outdated): Promise<readonly string[]> {
    const all = [...outdated.keys()];
    if (!options.holds || !isFew(outdated)) return all;
    const batch = await prepareFew(outdated, { ...forFew, mostCharacters: littleText });
    if (!batch || options.isOver() || !mayHold() || !index().hold(batch)) return all;
    maintenance.touched();
    expectGone(batch);
    return all.filter((path) => !batch.seen.has(path));
  }

  async function writeMany(outdated: Outdated): Promise<readonly string[]> {
    const conflicts: string[] = [];
    const total = outdated.size;
    let [done, weighed, told] = [0, 0, 0];
    // One batch may hold almost all of them, and is written at the end.
    const onWeighed = (count: number) => {
      weighed = Math.min(weighed + count, total);
      if (!progress.current() || weighed - told < total / toldParts) return;
      told = weighed;
      progress.tell({ done: told, total });
    };
    if (total > worthTelling) progress.tell({ done, total });
    try {
      for await (const batch of prepareBatches(outdated, { ...options, onWeighed })) {
        if (options.isOver()) break;
        conflicts.push(...(await put(batch)));
        done += batch.seen.size;
        if (progress.current()) progress.tell({ done: Math.max(done, told), total });
        if (done < total) await setImmediate();
      }
    } finally {
      progress.end();
    }
    return conflicts;
  }

  async function put(batch: IndexBatch): Promise<readonly string[]> {
    const conflicts = await holdOrApply(batch);
    expectGone(batch);
    return conflicts;
  }

  function expectGone(batch: IndexBatch): void {
    const there = new Set(batch.put.map(({ path }) => path));
    if (batch.seen.size === there.size) return;
    for (const path of batch.seen.keys()) if (!there.has(path)) index().expectGone(path);
  }

  function mayHold(): boolean {
    return options.holds && now() - overtakenAt > writeThroughMs;
  }

  /** Where it may, little is kept in memory for a while: to write it takes longer than to search. */
  async function holdOrApply(batch: IndexBatch): Promise<readonly string[]> {
    if (options.holds) maintenance.touched();
    if (mayHold() && index().hold(batch)) return [];
    flush();
    return [...index().apply(batch).conflicts, ...(await goneSince(batch))];
  }

  /**
   * Documents that went away after they were read and before they were in the index. Another process that was told of
   * it found nothing to take out, and is not told again.
   */
  async function goneSince(batch: IndexBatch): Promise<string[]> {
    const fresh = batch.put.filter(({ path }) => batch.seen.get(path) === undefined);
    return fresh.length > mostLookedFor ? [] : gone(fresh.map(({ path }) => path));
  }

  async function gone(paths: readonly string[]): Promise<string[]> {
    // Read: a document that is there may be one that nobody can read any more.
    const there = await askSource(source, paths, isThere, source.readsAtOnce);
    return paths.filter((_, at) => !there[at]);
  }

  async function isThere(path: string): Promise<boolean> {
    try {
      return (await source.read(path)) !== undefined;
    } catch (error) {
      if (error instanceof UnreadableDocument) return true;
      throw error;
    }
  }

  return {
    write,
    writeLittle,
    flush,
    writeThrough() {
      overtakenAt = now();
    },
    isOvertaken() {
      followFlushed();
      return overtaken.size > 0;
    },
    takeOvertaken() {
      followFlushed();
      if (overtaken.size === 0) return none;
      const taken = [...overtaken];
      overtaken = new Set();
      return taken;
    },
    stop: maintenance.stop,
    settled: async () => void (await Promise.all(checks)),
  };
}

const none: readonly string[] = [];
const noneFlushed: ReturnType<SearchIndex["takeFlushed"]> = { conflicts: none, added: new Map() };
