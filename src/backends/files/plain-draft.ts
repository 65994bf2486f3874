import { randomUUID } from "node:crypto";
import { closeSync, fstatSync, futimesSync, lstatSync, openSync, readdirSync, rmSync } from "node:fs";
import { RecollectError } from "../../kernel/errors.ts";
import { createFlags } from "./auxiliary.ts";
import { type Directory, syncDescriptor } from "./directory.ts";
import type { DocumentFile } from "./document-file.ts";
import { keepModeAndGroup, writeAll } from "./durable-file.ts";

const prefix = ".recollect-draft-";
/** Only what we made ourselves is ever removed. */
const ours = /^\.recollect-draft-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A live writer takes milliseconds; one that is stopped for longer finds its draft gone and begins again. */
const staleMs = 60_000;

/** The new content of a file that is no document, beside its place, synced. */
export interface Draft {
  readonly path: string;
  readonly inode: bigint;
}

/** In any spelling that a file system might take for ours. */
export function isDraftName(name: string): boolean {
  return name.normalize("NFKC").toLowerCase().startsWith(prefix);
}

/** Whether a file has exactly the name that we give to drafts. */
export function isOwnDraft(name: string): boolean {
  return ours.test(name);
}

export function assertNoDraftName(segments: readonly string[]): void {
  const segment = segments.find(isDraftName);
  if (segment === undefined) return;
  throw new RecollectError("INVALID_PATH", `Names that begin with “${prefix}” are kept for drafts. Use another name.`, {
    data: { rule: "reserved-place", segment },
  });
}

/** With the mode and group of what it will replace; on any failure nothing stays. */
export async function writeDraft(
  folder: Directory,
  bytes: Buffer,
  model: DocumentFile | undefined,
  options: { readonly blocking: boolean; readonly keepTime?: boolean },
): Promise<Draft> {
  const path = folder.at(prefix + randomUUID());
  const descriptor = openSync(path, createFlags, 0o666);
  try {
    if (model) keepModeAndGroup(descriptor, model);
    writeAll(descriptor, bytes);
    if (model && options.keepTime) futimesSync(descriptor, model.stat.atime, model.stat.mtime);
    await syncDescriptor(descriptor, options.blocking);
    return { path, inode: fstatSync(descriptor, { bigint: true }).ino };
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** What killed processes left in this folder. */
export function removeStaleDrafts(folder: Directory, now: number): void {
  for (const name of readdirSync(folder.at(".")).filter(isOwnDraft)) {
    const stat = lstatSync(folder.at(name), { throwIfNoEntry: false });
    if (stat?.isFile() && stat.mtimeMs < now - staleMs) rmSync(folder.at(name), { force: true });
  }
}
