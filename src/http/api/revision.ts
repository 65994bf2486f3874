import type { HistoryOperation, ShownRevision } from "../../app.ts";
import type { ApiRevision, ApiShown } from "./contract/history.ts";

const shownChanges = 50;

export function toRevision(operation: HistoryOperation, root: string): ApiRevision {
  const { id, time, author, run, reason, changes } = operation;
  return {
    id,
    root,
    time,
    author,
    run,
    reason,
    changes: changes.slice(0, shownChanges).map(({ path, kind, rev, was, from }) => ({ path, kind, rev, was, from })),
    ...(changes.length > shownChanges ? { more: changes.length - shownChanges } : {}),
  };
}

export function toShown({ operation, path, rev, text }: ShownRevision, root: string): ApiShown {
  return { revision: toRevision(operation, root), path, rev, text };
}
