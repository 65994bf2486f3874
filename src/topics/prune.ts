import { type RawEntry, renderTopicFile, type TopicFile } from "./topic-file.ts";

/** TOP-4: over either of these a file is pruned. */
export const maxEntries = 10;
export const maxBytes = 5120;
/** So many stay whatever their size. */
const leastEntries = 5;

/** What stays, and what goes into the archive, both newest first. */
export function pruneEntries(file: TopicFile): { kept: TopicFile; pruned: readonly RawEntry[] } {
  let count = Math.min(file.entries.length, maxEntries);
  while (count > leastEntries && sizeOf(file, count) > maxBytes) count -= 1;
  return { kept: { ...file, entries: file.entries.slice(0, count) }, pruned: file.entries.slice(count) };
}

function sizeOf(file: TopicFile, count: number): number {
  return Buffer.byteLength(renderTopicFile({ ...file, entries: file.entries.slice(0, count) }));
}
