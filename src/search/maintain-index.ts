import { IndexFailure } from "./index/index-failure.ts";
import type { SearchIndex } from "./index/search-index.ts";

/** How long it works, and pauses after it: no search meanwhile waits longer. */
const sliceMs = 8;
const pauseMs = 20;
/** After the last write: while many come, chunks would be written anew over and over. */
const restMs = 1000;

/** Writes chunks of the index anew while nobody is waiting. */
export function createIndexMaintenance(
  index: () => SearchIndex,
  /** An index says once that it is lost: the caller that is told must pass it on. */
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
      if (index().maintain(sliceMs)) schedule(pauseMs);
    } catch (error) {
      if (!(error instanceof IndexFailure)) throw error;
      // Another process writes: the next change brings it up again.
      if (error.kind !== "busy") failed(error);
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
