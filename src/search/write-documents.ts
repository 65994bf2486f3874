import { setImmediate, setTimeout } from "node:timers/promises";
import { askSource, type Source, UnreadableDocument } from "../kernel/source.ts";
import type { Outdated } from "./find-changes.ts";
import type { ChangeOutcome } from "./index/index-change.ts";
import { IndexFailure } from "./index/index-failure.ts";
import type { SearchIndex } from "./index/search-index.ts";
import type { IndexBatch } from "./index-batches.ts";
import type { ProgressTeller } from "./index-progress.ts";
import { createIndexMaintenance } from "./maintain-index.ts";
import { type PrepareOptions, prepareBatches } from "./prepare-batches.ts";

export interface DocumentWriterOptions extends PrepareOptions {
  readonly source: Source;
  readonly index: () => SearchIndex;
  /** Whether to write chunks anew in the background, since the process stays. */
  readonly maintains: boolean;
  /** Whether a search waits for this: then other processes that write to the index are waited for. */
  readonly isAwaited: () => boolean;
  readonly progress: ProgressTeller;
  /** An index says once that it is lost: the caller that is told must pass it on. */
  readonly failed: (failure: IndexFailure) => void;
}

/** Brings documents into the index of a root. */
export interface DocumentWriter {
  /**
   * Answers which are to be looked at again: another process was faster, or they went away meanwhile. Throws an
   * IndexFailure where another process is writing: at once where no search waits for this.
   */
  write(outdated: Outdated): Promise<readonly string[]>;
  stop(): void;
}

/** Fewer than these are indexed before anybody wants to know how far it is. */
const worthTelling = 500;
/** A listener is told at most so often, and another process, too, to which each time is a message. */
const toldParts = 100;
/**
 * How often another process that writes is looked after, and for how long: half as long as a search waits in a process
 * that stays, so that an index in memory can still answer it.
 */
const retryMs = 10;
const patienceMs = 500;
/** So many new documents are looked for once more; where there are more of them, a survey comes soon enough. */
const mostLookedFor = 200;

export function createDocumentWriter(options: DocumentWriterOptions): DocumentWriter {
  const { source, index, progress, now } = options;
  const maintenance = createIndexMaintenance(index, options.failed);

  async function write(outdated: Outdated): Promise<readonly string[]> {
    if (outdated.size === 0) return [];
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
    if (options.maintains) maintenance.touched();
    const { conflicts } = await apply(batch);
    return [...conflicts, ...(await goneSince(batch))];
  }

  /** Waits for other processes beside other work of this one. */
  async function apply(batch: IndexBatch): Promise<ChangeOutcome> {
    const until = now() + patienceMs;
    for (;;) {
      try {
        return index().apply(batch);
      } catch (error) {
        if (!(error instanceof IndexFailure && error.kind === "busy" && options.isAwaited())) throw error;
        if (now() >= until) throw new IndexFailure("unavailable", error.reason, error);
        await setTimeout(retryMs);
      }
    }
  }

  /**
   * Documents that went away after they were read and before they were in the index. Another process that was told of
   * it found nothing to take out, and is not told again.
   */
  async function goneSince(batch: IndexBatch): Promise<string[]> {
    const fresh = batch.put.filter(({ path }) => batch.seen.get(path) === undefined).map(({ path }) => path);
    if (fresh.length > mostLookedFor) return [];
    // Read: a document that is there may be one that nobody can read any more.
    const there = await askSource(source, fresh, isThere, source.readsAtOnce);
    return fresh.filter((_, at) => !there[at]);
  }

  async function isThere(path: string): Promise<boolean> {
    try {
      return (await source.read(path)) !== undefined;
    } catch (error) {
      if (error instanceof UnreadableDocument) return true;
      throw error;
    }
  }

  return { write, stop: maintenance.stop };
}
