import type { OpenedIndex } from "./index/open-index.ts";
import type { SearchIndex } from "./index/search-index.ts";

export interface CurrentIndexOptions {
  /** The index that is kept, and the one to fall back on. */
  readonly openIndex: () => OpenedIndex;
  readonly openMemoryIndex: () => SearchIndex;
  readonly now: () => number;
}

/** The index that a root has at the moment: the one that is kept, or one in memory where that cannot be used. */
export interface CurrentIndex {
  get(): SearchIndex;
  /** Undefined where none is open. */
  opened(): SearchIndex | undefined;
  /** Why it is one in memory. */
  whyInMemory(): string | undefined;
  /** What was in the way may be gone: then the one that is kept takes the place of the one in memory. */
  leaveMemory(): void;
  /** Goes on with an empty one in memory: without a reason, for as long as there is nothing to keep. */
  replaceByMemory(why?: string): void;
  /** Opens the one that is kept when it is next asked for. */
  reopen(): void;
  close(): void;
}

/** How long to do with an index in memory before the one that is kept is tried again. */
const memoryMs = 30_000;

export function createCurrentIndex(options: CurrentIndexOptions, onReplaced: () => void): CurrentIndex {
  const { now } = options;
  let current: SearchIndex | undefined;
  let inMemory: { readonly why: string; readonly since: number } | undefined;

  function replaceWith(index: SearchIndex | undefined): void {
    current?.close();
    current = index;
    onReplaced();
  }

  function open(): SearchIndex {
    const opened = options.openIndex();
    if (opened.kind === "open") return opened.index;
    inMemory = { why: opened.reason, since: now() };
    return options.openMemoryIndex();
  }

  return {
    get() {
      current ??= open();
      return current;
    },
    opened: () => current,
    whyInMemory: () => inMemory?.why,
    leaveMemory() {
      if (!inMemory || now() - inMemory.since < memoryMs) return;
      const opened = options.openIndex();
      inMemory = opened.kind === "open" ? undefined : { why: opened.reason, since: now() };
      // Until then the one in memory stays as it is.
      if (opened.kind === "open") replaceWith(opened.index);
    },
    replaceByMemory(why) {
      replaceWith(options.openMemoryIndex());
      if (why !== undefined) inMemory = { why, since: now() };
    },
    reopen() {
      inMemory = undefined;
      replaceWith(undefined);
    },
    close: () => current?.close(),
  };
}
