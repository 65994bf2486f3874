import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { userCacheFolder } from "../../settings/user-folders.ts";

/** HASH-VERSION, HASH-VERSION.GENERATION.sqlite, and what SQLite puts beside that. */
const indexFile = /^([0-9a-f]{32}-([0-9a-f]{16}))(?:\.|$)/;
/** What earlier builds kept beside an index: a survey as an index of git, its drafts, and a repository for git. */
const keptSurvey = /^(?:[0-9a-f]{32}-[0-9a-f]{16}\.look(?:\.|$)|empty\.git$)/;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Takes away indexes of other versions that nobody has used for a day, by the newest of their files: not all are
 * written to. Whoever would still use one builds it anew.
 */
export function removeOldIndexes(folder: string, version: string, now: number): void {
  removeFrom(folder, keptSurvey);
  removeIndexes(folder, (name, files) => {
    if (name.endsWith(`-${version}`)) return false;
    const times = files.map((file) => statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0);
    return now - Math.max(...times) > dayMs;
  });
}

/** Takes a user's search indexes away: what may be in them has changed. They are built anew when they are needed. */
export function removeSearchIndexes(place: Parameters<typeof userCacheFolder>[0] = {}): void {
  removeIndexes(searchFolder(place), () => true);
}

/** The same for one of them. */
export function removeIndex(folder: string, name: string): void {
  removeIndexes(folder, (one) => one === name);
}

/** Where a user's search indexes lie. */
export function searchFolder(place: Parameters<typeof userCacheFolder>[0] = {}): string {
  return join(userCacheFolder(place), "search");
}

function removeFrom(folder: string, names: RegExp): void {
  ifPossible(() => {
    for (const name of readdirSync(folder).filter((one) => names.test(one))) {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  });
}

function removeIndexes(folder: string, isOld: (name: string, files: readonly string[]) => boolean): void {
  ifPossible(() => {
    // What names the others comes first: a process that opens an index after that begins anew.
    const files = readdirSync(folder).sort();
    for (const [name, own] of Map.groupBy(files, (file) => indexFile.exec(file)?.[1])) {
      if (name === undefined || !isOld(name, own)) continue;
      for (const file of own) rmSync(join(folder, file), { force: true });
    }
  });
}

/** Where there is no such folder there is nothing to remove, and where it may not be written to, nothing can be. */
function ifPossible(remove: () => void): void {
  try {
    remove();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}
