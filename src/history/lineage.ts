import type { ExistingPath } from "../kernel/document-path.ts";
import type { DocumentChange, Moment, Operation } from "../kernel/root-history.ts";

/** What one operation did to one document. */
interface LineageStep {
  readonly isUndone: boolean;
  readonly before: Moment;
  readonly after: Moment;
}

/** One document through its names. */
interface Lineage {
  readonly steps: LineageStep[];
}

/** A run of steps that are to be undone, with nothing of others in between. */
interface UndoneBlock {
  /** As it was before them. */
  readonly before: Moment;
  /** As they left it. */
  readonly after: Moment;
}

/** A document of which something is to be undone: where it is now, and what, newest first. */
export interface UndoneDocument {
  readonly path: ExistingPath;
  /** True where another document was moved to its path since: then it is nowhere. */
  readonly isDisplaced: boolean;
  readonly blocks: readonly UndoneBlock[];
}

/** From all operations since the first that is to be undone, oldest first. */
export function findUndone(
  operations: readonly Operation[],
  isUndone: (operation: Operation) => boolean,
): UndoneDocument[] {
  const all: Lineage[] = [];
  const byPath = new Map<ExistingPath, Lineage>();
  const lineageAt = (path: ExistingPath) => {
    const found = byPath.get(path) ?? { steps: [] };
    if (!byPath.has(path)) all.push(found);
    byPath.set(path, found);
    return found;
  };
  for (const operation of operations) {
    const moves = operation.changes.filter((change) => change.from !== undefined);
    const sources = new Set(moves.map(({ from }) => from));
    for (const change of moves) {
      const { path, from } = change;
      const lineage = lineageAt(from as ExistingPath);
      byPath.delete(from as ExistingPath);
      byPath.set(path, lineage);
      lineage.steps.push(stepOf(operation, from as ExistingPath, change, isUndone(operation)));
    }
    for (const change of operation.changes) {
      if (change.from !== undefined || isSourceOf(change, sources)) continue;
      lineageAt(change.path).steps.push(stepOf(operation, change.path, change, isUndone(operation)));
    }
  }
  return all.flatMap((lineage) => toUndone(lineage, (path) => byPath.get(path) !== lineage));
}

function isSourceOf({ path, rev }: DocumentChange, sources: ReadonlySet<ExistingPath | undefined>): boolean {
  return rev === undefined && sources.has(path);
}

function stepOf(
  { id }: Operation,
  from: ExistingPath,
  { path, rev, was }: DocumentChange,
  isUndone: boolean,
): LineageStep {
  // Of a moved document `was` tells what its new name had.
  const before = { id, path: from, side: "before", ...(from === path ? { rev: was } : {}) } as const;
  return { isUndone, before, after: { id, path, side: "after", rev } };
}

function toUndone({ steps }: Lineage, isTaken: (path: ExistingPath) => boolean): UndoneDocument[] {
  const blocks: { before: Moment; after: Moment }[] = [];
  let isOpen = false;
  for (const { isUndone, before, after } of steps) {
    const last = blocks.at(-1);
    if (isUndone && isOpen && last) last.after = after;
    else if (isUndone) blocks.push({ before, after });
    isOpen = isUndone;
  }
  const path = steps.at(-1)?.after.path;
  if (blocks.length === 0 || path === undefined) return [];
  return [{ path, isDisplaced: isTaken(path), blocks: blocks.reverse() }];
}
