import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { userCacheFolder } from "./user-folders.ts";

/** HASH-VERSION, HASH-VERSION.GENERATION.sqlite, and what SQLite puts beside that. */
const indexFile = /^[0-9a-f]{32}-([0-9a-f]{16})(?:\.|$)/;
const dayMs = 24 * 60 * 60 * 1000;

/** Takes away indexes of other versions that nobody has used for a day. Whoever would still use one builds it anew. */
export function removeOldIndexes(folder: string, version: string, now: number): void {
  removeIndexes(folder, (name, path) => {
    if (indexFile.exec(name)?.[1] === version) return false;
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat !== undefined && now - stat.mtimeMs > dayMs;
  });
}

/** Takes a user's search indexes away: what may be in them has changed. They are built anew when they are needed. */
export function removeSearchIndexes(place: Parameters<typeof userCacheFolder>[0] = {}): void {
  removeIndexes(searchFolder(place), () => true);
}

/** Where a user's search indexes lie. */
export function searchFolder(place: Parameters<typeof userCacheFolder>[0] = {}): string {
  return join(userCacheFolder(place), "search");
}

function removeIndexes(folder: string, isOld: (name: string, path: string) => boolean): void {
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (indexFile.test(name) && isOld(name, path)) rmSync(path, { force: true });
    }
  } catch (error) {
    // Where there is no such folder there is nothing to take away, and where it may not be written to, nothing can be.
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}
