import type { SnapshotKeeper } from "./index-snapshot.ts";
import type { MergePlan } from "./merge-plan.ts";
import { type MergedSegments, mergeSegments } from "./merge-segments.ts";
import type { SegmentReader } from "./segment-reader.ts";
import { insertDead, insertSegment, removeSegment } from "./segment-rows.ts";

/** A merge that is under way: read and put together in memory step by step, written at once at the end. */
export interface MergeTask {
  /** True when it is over: done, or given up since another process was faster. */
  step(): boolean;
}

export function createMergeTask(
  keeper: SnapshotKeeper,
  segments: readonly SegmentReader[],
  { from, until }: MergePlan,
): MergeTask {
  const sources = segments.slice(from, until);
  const merging = mergeSegments(sources);

  return {
    step() {
      const next = keeper.connection.reading(() =>
        areAmong(keeper.current().segments, sources) ? merging.next() : undefined,
      );
      if (next?.done) finishMerge(keeper, sources, next.value);
      return next?.done !== false;
    },
  };
}

function areAmong(segments: readonly SegmentReader[], sources: readonly SegmentReader[]): boolean {
  return sources.every((source) => segments.includes(source));
}

/** Documents that died while the merge was under way are dead in the new segment, too. */
function finishMerge(keeper: SnapshotKeeper, sources: readonly SegmentReader[], merged: MergedSegments): void {
  const { connection } = keeper;
  const { image, firsts } = merged;
  keeper.change((segments) => {
    if (!areAmong(segments, sources)) return;
    const died = sources.flatMap((source, index) =>
      [...source.deadDocuments]
        .map((document) => (merged.documents[index] as Int32Array)[document] as number)
        .filter((document) => document >= 0),
    );
    for (const source of sources) removeSegment(connection, source.id);
    if (died.length === image.documents) return;
    const oldest = Math.min(...sources.map((source) => source.row.oldest));
    const newest = Math.max(...sources.map((source) => source.row.newest));
    const id = insertSegment(connection, image, { oldest, newest });
    for (const document of died) {
      const first = firsts[document] as number;
      insertDead(connection, id, { document, first, units: (firsts[document + 1] as number) - first });
    }
  });
}
