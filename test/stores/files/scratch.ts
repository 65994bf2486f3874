import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  type Address,
  createDocuments,
  type DocumentPath,
  type FilesStoreOptions,
  fullAccess,
  openFilesStore,
  parseDocumentPath,
} from "../../../src/index.ts";

export const stamp = { author: "agent:tester" };

export function at(path: string, root = "notes"): Address<DocumentPath> {
  return { root, path: parseDocumentPath(path) };
}

/** A temporary folder that goes with the test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "recollect-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A store with one root named “notes”, closed with the test. */
export function openNotes(folder: string, options: Partial<FilesStoreOptions> = {}) {
  const store = openFilesStore({ now: Date.now, ...options, roots: [{ name: "notes", folder }] });
  onTestFinished(() => store.close());
  const documents = createDocuments({ roots: [{ name: "notes", policy: fullAccess, store }] });
  return { store, documents };
}
