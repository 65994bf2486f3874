import { type Dirent, readdirSync } from "node:fs";
import { comparePaths, type ExistingPath, isExistingPath } from "../../kernel/document-path.ts";
import type { FolderListing } from "../../kernel/store.ts";
import type { Directory } from "./directory.ts";
import { isDraftName } from "./plain-draft.ts";
import type { Place } from "./root-folders.ts";

/** The direct children of an open folder that a path can name: one `readdir`, no `stat`. */
export function browseFolder(folder: Directory, place: Place): FolderListing {
  const prefix = place.segments.map((segment) => `${segment}/`).join("");
  const entries = readdirSync(folder.at("."), { withFileTypes: true });
  // By path, a link may have taken the folder's place in the meantime.
  folder.verify();
  const pathsOf = (kept: (entry: Dirent) => boolean) =>
    entries
      .filter(kept)
      .map(({ name }) => prefix + name)
      .filter(isExistingPath)
      .sort(comparePaths);
  return {
    // A folder whose documents no path could name, such as `C:` in a root, is none to anybody who asks.
    folders: pathsOf((entry) => entry.isDirectory()).filter((path) => isExistingPath(`${path}/_`)),
    files: pathsOf((entry) => entry.isFile() && !isDraftName(entry.name)) as ExistingPath[],
  };
}
