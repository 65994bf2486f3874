import { insertSegment } from "./apply-change.ts";
import type { Connection } from "./connection.ts";
import { readDead, removeSegment, type SnapshotKeeper } from "./index-snapshot.ts";
import type { MergePlan } from "./merge-plan.ts";
import { type MergedSegments, mergeSegments } from "./merge-segments.ts";
import type { SegmentReader } from "./segment-reader.ts";

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
        stillThere(keeper.connection, sources) ? merging.next() : undefined,
      );
      if (next?.done) finishMerge(keeper, sources, next.value);
      return next?.done !== false;
    },
  };
}

function stillThere(connection: Connection, sources: readonly SegmentReader[]): boolean {
  return sources.every(({ id }) => connection.get("SELECT 1 FROM segments WHERE id = ?", id) !== undefined);
}

/** Documents that died while the merge was under way are dead in the new segment, too. */
function finishMerge(keeper: SnapshotKeeper, sources: readonly SegmentReader[], merged: MergedSegments): void {
  const { connection } = keeper;
  const { image } = merged;
  connection.writing(() => {
    if (!stillThere(connection, sources)) return;
    keeper.outdate();
    const died = sources.flatMap((source, index) =>
      readDead(connection, source.id)
        .map(({ document }) => (merged.documents[index] as Int32Array)[document] as number)
        .filter((document) => document >= 0),
    );
    for (const source of sources) removeSegment(connection, source.id);
    if (died.length === image.documents) return;
    const oldest = Math.min(...sources.map((source) => source.row.oldest));
    const newest = Math.max(...sources.map((source) => source.row.newest));
    const id = insertSegment(connection, image, { oldest, newest });
    let units = 0;
    for (const document of died) {
      const first = merged.firsts[document] as number;
      const count = (merged.firsts[document + 1] as number) - first;
      units += count;
      connection.run("INSERT INTO dead VALUES (?, ?, ?, ?)", id, document, first, count);
    }
    connection.run("UPDATE segments SET dead_documents = ?, dead_units = ? WHERE id = ?", died.length, units, id);
  });
}
