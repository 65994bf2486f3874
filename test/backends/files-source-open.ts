import { onTestFinished } from "vitest";
import { bestOpenDirectory } from "../../src/backends/files/directory.ts";
import { createRootFolders } from "../../src/backends/files/root-folders.ts";
import type { FilesSource } from "../../src/backends/files/source.ts";
import { openFilesSource } from "../../src/backends/files/source.ts";
import { openWatchQueue, type WatchQueue } from "../../src/backends/files/watch-queue.ts";

/** A source of a root “notes” whose queue the test may change, closed with the test. */
export function openSource(
  folder: string,
  change: (queue: WatchQueue) => WatchQueue = (queue) => queue,
  now: () => number = Date.now,
): FilesSource {
  const roots = createRootFolders([{ name: "notes", folder }], bestOpenDirectory());
  const queue = change(openWatchQueue());
  const source = openFilesSource({
    roots,
    root: "notes",
    now,
    maxReadBytes: 1 << 20,
    isDocument: (path) => path.endsWith(".md"),
    queue: () => queue,
  });
  onTestFinished(() => {
    source.close();
    queue.close();
    roots.close();
  });
  return source;
}
