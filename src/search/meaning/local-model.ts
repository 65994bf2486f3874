import type { Embedder } from "./embedder.ts";
import { createThreadEmbedder, type ThreadLimits } from "./thread-embedder.ts";

export interface LocalModelOptions {
  /** Where `installLocalModel` put it. */
  readonly folder: string;
  readonly now: () => number;
  readonly limits?: ThreadLimits;
}

/** MiniLM in WebAssembly, from npm: no native code, about 30 ms a sentence, 600 MB while it is loaded. */
export function openLocalModel({ folder, now, limits }: LocalModelOptions): Embedder {
  return createThreadEmbedder({
    name: "local:all-MiniLM-L6-v2",
    place: { folder },
    now,
    ...(limits === undefined ? {} : { limits }),
  });
}
