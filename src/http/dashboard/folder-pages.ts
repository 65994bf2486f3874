import type { ApiChanged } from "../api/contract/events.ts";
import type { ApiFolder, ApiListed } from "../api/contract/folder.ts";

/** The folders and documents of one folder, as far as they were loaded. */
export interface FolderContent {
  readonly folders: readonly string[];
  readonly documents: readonly ApiListed[];
  readonly isComplete: boolean;
}

export const emptyFolder: FolderContent = { folders: [], documents: [], isComplete: false };

/** What was loaded, with one page more. */
export function withPage(content: FolderContent, page: ApiFolder): FolderContent {
  return {
    folders: [...new Set([...content.folders, ...page.folders.map(lastName)])],
    documents: [...content.documents, ...page.documents],
    isComplete: page.next === undefined,
  };
}

/** What was loaded, after changes elsewhere: long lists are not loaded anew for each. */
export function withChanges(
  content: FolderContent,
  place: { readonly root: string; readonly folder: string },
  changes: readonly ApiChanged[],
  now: string,
): FolderContent {
  const prefix = place.folder === "" ? "" : `${place.folder}/`;
  const folders = new Set(content.folders);
  const documents = new Map(content.documents.map((document) => [document.path, document]));
  let isTouched = false;
  for (const { root, path, rev } of changes) {
    if (root !== place.root || !path.startsWith(prefix)) continue;
    isTouched = true;
    const slash = path.indexOf("/", prefix.length);
    if (slash !== -1) {
      folders.add(path.slice(prefix.length, slash));
    } else if (rev === undefined) {
      documents.delete(path);
    } else {
      const known = documents.get(path) ?? { path, size: 0, readOnly: false, remark: undefined };
      documents.set(path, { ...known, rev, modified: now });
    }
  }
  if (!isTouched) return content;
  return { ...content, folders: [...folders].sort(), documents: [...documents.values()].sort(byPath) };
}

export function lastName(path: string): string {
  return path.split("/").findLast((part) => part !== "") ?? path;
}

function byPath(left: ApiListed, right: ApiListed): number {
  return left.path < right.path ? -1 : 1;
}
