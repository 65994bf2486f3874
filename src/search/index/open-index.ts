import { createFileContainer } from "./file-container.ts";
import { IndexFailure } from "./index-failure.ts";
import { createMemoryContainer } from "./memory-container.ts";
import { createSearchIndex, type SearchIndex, type SearchIndexOptions } from "./search-index.ts";

export interface IndexFileOptions extends SearchIndexOptions {
  /** Made where it is missing, with its folder. Beside it lie the databases that it names. */
  readonly file: string;
  /** What the contents depend on beside the documents: how they are cut, weighed and embedded. Another one begins anew. */
  readonly version: string;
  /** How long to wait for another program that keeps readers out. */
  readonly busyMilliseconds?: number;
}

export type OpenedIndex =
  | { readonly kind: "open"; readonly index: SearchIndex }
  | { readonly kind: "unavailable"; readonly reason: string };

export function openIndexFile(options: IndexFileOptions): OpenedIndex {
  const { file, version, busyMilliseconds = 100 } = options;
  const container = createFileContainer({ file, version, busyMilliseconds });
  try {
    container.connection();
    return { kind: "open", index: createSearchIndex(container, options) };
  } catch (error) {
    if (!(error instanceof IndexFailure)) throw error;
    return { kind: "unavailable", reason: error.reason };
  }
}

/** For where there is no place for a file: the same, as long as the process lives. */
export function openMemoryIndex(options: SearchIndexOptions = {}): SearchIndex {
  return createSearchIndex(createMemoryContainer(), options);
}
