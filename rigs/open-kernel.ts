import { type FilesStore, openFilesStore } from "../src/backends/files/store.ts";
import { createDocuments, type Documents } from "../src/kernel/documents.ts";
import { isRecollectError } from "../src/kernel/errors.ts";
import { fullAccess } from "../src/kernel/root-policy.ts";

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
