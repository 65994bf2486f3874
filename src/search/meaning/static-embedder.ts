import type { Embedder } from "./embedder.ts";
import type { StaticTable } from "./static-table.ts";

/** The table behind the interface of the larger models. */
export function createStaticEmbedder(table: StaticTable): Embedder {
  return {
    name: table.name,
    dims: table.dims,
    embedQuery: async (text) => table.embed(text),
    embedTexts: async (texts, signal) => {
      signal?.throwIfAborted();
      return texts.map(table.embed);
    },
    close: async () => {},
  };
}
