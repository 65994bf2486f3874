import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
} from "../../../src/app.ts";

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

/** Whether this user can give files away, and so make one that belongs to another. */
export const canGiveAway = process.getuid?.() === 0;

/** A file of another user. */
export function writeForeignFile(path: string, content: string): void {
  writeFileSync(path, content);
  chownSync(path, 65_533, 65_533);
}

/** A store with one root named “notes”, closed with the test. */
export function openNotes(folder: string, options: Partial<FilesStoreOptions> = {}) {
  const store = openFilesStore({ now: Date.now, ...options, roots: [{ name: "notes", folder }] });
  onTestFinished(() => store.close());
  const documents = createDocuments({ roots: [{ name: "notes", policy: fullAccess, store }] });
  return { store, documents };
}
