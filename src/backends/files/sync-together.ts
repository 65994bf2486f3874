import { allDone } from "./all-done.ts";
import type { FolderPart } from "./apply.ts";

/** Side by side, on the thread pool; where the main thread may wait for the disk, it takes one of them itself. */
export async function syncTogether(
  syncs: readonly ((blocking: boolean) => Promise<void>)[],
  blocking: boolean,
): Promise<void> {
  await allDone(syncs.map((sync, index) => sync(blocking && index === syncs.length - 1)));
}

export async function syncFolders(parts: readonly FolderPart[], blocking: boolean): Promise<void> {
  await syncTogether(
    parts.map((part) => (wait: boolean) => part.folder.sync(wait)),
    blocking,
  );
}
