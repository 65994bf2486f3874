import { readdirSync } from "node:fs";
import { auxiliaryFolder, isReservedFolder } from "../../kernel/document-path.ts";
import type { Directory } from "./directory.ts";
import type { Place, RootFolders } from "./root-folders.ts";
import { hasCode } from "./storage-error.ts";

/** A folder of documents met on a walk, and whether it has an auxiliary folder. */
export interface MetFolder {
  readonly place: Place;
  readonly folder: Directory;
  readonly hasAuxiliary: boolean;
}

/** Every folder of documents once, as part of the innermost root that owns it. Closed as the walk goes on. */
export function* walkFolders(roots: RootFolders): Generator<MetFolder> {
  for (const root of roots.names) yield* walkBelow({ root, segments: [] }, roots);
}

/** One folder and everything below it that the same root owns. */
export function* walkBelow(place: Place, roots: RootFolders): Generator<MetFolder> {
  // A whole project may lie there, with nothing of ours in it.
  if (roots.isPlain(place)) return;
  const folder = openOrSkip(place, roots);
  if (!folder) return;
  let folders: string[];
  try {
    const entries = readdirSync(folder.at("."), { withFileTypes: true });
    folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    yield { place, folder, hasAuxiliary: folders.includes(auxiliaryFolder) };
  } finally {
    folder.close();
  }
  for (const name of folders.sort()) {
    const child = { root: place.root, segments: [...place.segments, name] };
    if (!isReservedFolder(name) && roots.placeOf(roots.realPath(child))?.root === place.root)
      yield* walkBelow(child, roots);
  }
}

/** A folder that vanished, became a link, or may not be read is none of ours to walk. */
function openOrSkip(place: Place, roots: RootFolders): Directory | undefined {
  try {
    return roots.open(place);
  } catch (error) {
    if (hasCode(error, "NOT_A_DOCUMENT", "PERMISSION_DENIED", "EACCES")) return undefined;
    throw error;
  }
}
