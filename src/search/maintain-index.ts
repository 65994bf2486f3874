import { IndexFailure } from "./index/index-failure.ts";
import type { SearchIndex } from "./index/search-index.ts";

/** A slice of merging, and the pause after it: nobody who searches meanwhile waits longer. */
const sliceMs = 8;
const pauseMs = 20;
/** After the last write: while many come, merging would be done over and over. */
const restMs = 1000;

/** Writes what is held in memory, and merges what writes have left in pieces, while nobody is waiting. */
export function createIndexMaintenance(
  index: () => SearchIndex,
  /** Writes what the index holds in memory. */
  flush: () => void,
  /** An index says once that it is lost: whoever hears it must pass it on. */
  failed: (failure: IndexFailure) => void,
): { touched(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function schedule(ms: number): void {
    clearTimeout(timer);
    // Unreferenced: no process stays for it.
    if (!isStopped) timer = setTimeout(slice, ms).unref();
  }

  function slice(): void {
    try {
      flush();
      if (index().maintain(sliceMs)) schedule(pauseMs);
    } catch (error) {
      if (!(error instanceof IndexFailure)) throw error;
      failed(error);
    }
  }

  return {
    touched: () => schedule(restMs),
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
