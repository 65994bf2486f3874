import type { DocumentChange } from "../src/kernel/root-history.ts";

/** Acknowledged revisions that history lacks, as often as each was acknowledged: a moved text has the same one again. */
export function missing(acknowledged: readonly string[], recorded: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const rev of recorded) left.set(rev, (left.get(rev) ?? 0) + 1);
  return acknowledged.flatMap((rev) => {
    const count = left.get(rev) ?? 0;
    left.set(rev, count - 1);
    return count > 0 ? [] : [`the acknowledged revision ${rev} is missing`];
  });
}

/** Every text that is written is another one, so only a move brings a revision that was there before. */
export function doubled(changes: readonly DocumentChange[]): string[] {
  const seen = new Set<string>();
  return changes.flatMap(({ path, kind, rev }) => {
    if (kind === "move" || rev === undefined) return [];
    const isKnown = seen.has(rev);
    seen.add(rev);
    return isKnown ? [`the revision ${rev} of ${path} was recorded twice`] : [];
  });
}

/** Changes that did not find what the one before them left, which tells of moves and removals that came twice, too. */
export function disconnected(newestFirst: readonly DocumentChange[]): string[] {
  const later = new Map<string, DocumentChange>();
  return newestFirst.flatMap((change) => {
    const next = later.get(change.path);
    later.set(change.path, change);
    if (!next || next.was === change.rev) return [];
    return [`a change of ${next.path} found ${next.was ?? "nothing"}, not ${change.rev ?? "nothing"}`];
  });
}
