import type { DocumentPath } from "../kernel/document-path.ts";
import type { Rev } from "../kernel/revision.ts";
import type { Address, Change, Current } from "../kernel/store.ts";

/** Each folder of an operation is held open with its lock. */
const maxFolders = 48;
const maxDocuments = 500;

/** What becomes of one document when another revision is put into the folder. */
export interface DocumentStep {
  readonly at: Address<DocumentPath>;
  readonly was: Rev | undefined;
  readonly next: Rev | undefined;
  readonly content: string | undefined;
}

/** By folders, as many as can be held at once; nearly always it is one part, and so all or nothing. */
export function partsOf(steps: readonly DocumentStep[]): DocumentStep[][] {
  const parts: DocumentStep[][] = [];
  let folders = new Set<string>();
  for (const step of steps) {
    const folder = step.at.path.slice(0, step.at.path.lastIndexOf("/") + 1);
    const part = parts.at(-1);
    const isFull =
      part === undefined || part.length >= maxDocuments || (folders.size >= maxFolders && !folders.has(folder));
    if (isFull) [folders] = [new Set()];
    folders.add(folder);
    if (isFull) parts.push([step]);
    else part.push(step);
  }
  return parts;
}

/**
 * What somebody wrote since must be merged first. But a part of which something is done already, before a kill, was done
 * as a whole: what is other by now was written after it.
 */
export function planPart(part: readonly DocumentStep[], current: Current, isResumed: boolean): Change[] | "changed" {
  const left = part.filter(({ at, next }) => current(at)?.rev !== next);
  if (left.length === 0) return [];
  if (left.every(({ at, was }) => current(at)?.rev === was)) {
    return left.map(
      ({ at, content }): Change => (content === undefined ? { kind: "remove", at } : { kind: "put", at, content }),
    );
  }
  const isDone = isResumed && left.length < part.length && left.every(({ at, was }) => current(at)?.rev !== was);
  return isDone ? [] : "changed";
}
