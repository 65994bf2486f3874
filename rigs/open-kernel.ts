import { createDocuments, type Documents } from "../src/core/documents.ts";
import { isRecollectError } from "../src/core/errors.ts";
import { fullAccess } from "../src/core/root-policy.ts";
import { type FilesStore, openFilesStore } from "../src/stores/files/files-store.ts";

/** The kernel, opened on one folder as the root “rig”. */
export interface Kernel {
  readonly store: FilesStore;
  readonly documents: Documents;
  /** Of this very build: another bundle has a class of its own. */
  isTyped(error: unknown): error is Error & { readonly code: string };
}

export function openKernel(folder: string, lockTimeoutMs?: number): Kernel {
  const store = openFilesStore({
    roots: [{ name: "rig", folder }],
    now: Date.now,
    ...(lockTimeoutMs === undefined ? {} : { lockTimeoutMs }),
  });
  const documents = createDocuments({ roots: [{ name: "rig", policy: fullAccess, store }] });
  return { store, documents, isTyped: isRecollectError };
}
