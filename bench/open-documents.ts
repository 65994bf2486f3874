import { loadLibrary } from "./library.ts";

const { createDocuments, fullAccess, openFilesStore, parseDocumentPath } = await loadLibrary();

const root = "bench";
export const stamp = { author: "bench" } as const;

/** The documents of one folder, opened as the agents' memory opens its own. */
export function openDocuments(folder: string) {
  const store = openFilesStore({ roots: [{ name: root, folder }], now: Date.now });
  const documents = createDocuments({ roots: [{ name: root, policy: fullAccess, store }] });
  return { documents, close: () => store.close() };
}

export function addressOf(path: string) {
  return { root, path: parseDocumentPath(path) };
}
