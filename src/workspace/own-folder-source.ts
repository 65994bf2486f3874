import { lstatSync } from "node:fs";
import type { Source } from "../core/source.ts";

/** A source that has nothing as long as a link is in its folder's place: that could lead to another agent's (AGT-4). */
export function ownFolderSource(source: Source, folder: string): Source {
  return {
    ...source,
    survey: (at) => (isLink(folder) ? [] : source.survey(at)),
    read: async (path) => (isLink(folder) ? undefined : source.read(path)),
    changes: async () => {
      const changed = await source.changes();
      return isLink(folder) ? undefined : changed;
    },
  };
}

export function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch (error) {
    // Whoever opens it says what the matter is.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
