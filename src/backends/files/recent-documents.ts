import { lstatSync } from "node:fs";
import { comparePaths, type ExistingPath, parseExistingPath } from "../../kernel/document-path.ts";
import { isRecollectError } from "../../kernel/errors.ts";
import type { RecentDocument, RecentRequest } from "../../kernel/store.ts";
import { openAuxiliary } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { readJournalTail } from "./journal-tail.ts";
import type { Place, RootFolders } from "./root-folders.ts";
import { hasCode } from "./storage-error.ts";
import { walkBelow } from "./walk-folders.ts";

interface Candidate {
  readonly place: Place;
  readonly name: string;
  readonly time: number;
}

/** From the end of each folder's journal: one short read a folder, one `lstat` a result. */
export function recentDocuments(
  { root, limit, folders }: RecentRequest,
  roots: RootFolders,
): readonly RecentDocument[] {
  const candidates: Candidate[] = [];
  const met = folders ? openEach(folders, root, roots) : walkBelow({ root, segments: [] }, roots);
  for (const { place, folder } of met) candidates.push(...changedIn(folder, place));
  candidates.sort((a, b) => b.time - a.time || comparePaths(pathOf(a), pathOf(b)));
  const found: RecentDocument[] = [];
  for (const candidate of candidates) {
    if (found.length === limit) break;
    if (!isThere(candidate, roots)) continue;
    found.push({ path: pathOf(candidate), time: new Date(candidate.time).toISOString() });
  }
  return found;
}

/** Those of the named folders that this root owns. */
function* openEach(
  folders: readonly (ExistingPath | "")[],
  root: string,
  roots: RootFolders,
): Generator<{ place: Place; folder: Directory }> {
  for (const path of folders) {
    const place = { root, segments: path === "" ? [] : parseExistingPath(path).split("/") };
    const folder =
      roots.isPlain(place) || roots.placeOf(roots.realPath(place))?.root !== root
        ? undefined
        : roots.open(place, "listed");
    if (!folder) continue;
    try {
      yield { place, folder };
    } finally {
      folder.close();
    }
  }
}

/** The last change of each document that the journal still ends with. */
function changedIn(folder: Directory, place: Place): Candidate[] {
  const seen = new Set<string>();
  return tailOf(folder)
    .toReversed()
    .flatMap(({ name, rev, time }) => {
      if (seen.has(name)) return [];
      seen.add(name);
      const changed = Date.parse(time);
      return rev === undefined || Number.isNaN(changed) ? [] : [{ place, name, time: changed }];
    });
}

/** One folder with a journal that is none must not hide what changed in all others. */
function tailOf(folder: Directory): ReturnType<typeof readJournalTail> {
  let auxiliary: Directory | undefined;
  try {
    auxiliary = openAuxiliary(folder);
    return auxiliary ? readJournalTail(auxiliary) : [];
  } catch (error) {
    if (isRecollectError(error) || hasCode(error, "EACCES", "EPERM")) return [];
    throw error;
  } finally {
    auxiliary?.close();
  }
}

function isThere({ place, name }: Candidate, roots: RootFolders): boolean {
  const folder = roots.open(place, "listed");
  try {
    return (folder && lstatSync(folder.at(name), { throwIfNoEntry: false })?.isFile()) ?? false;
  } finally {
    folder?.close();
  }
}

function pathOf({ place, name }: Candidate): ExistingPath {
  return [...place.segments, name].join("/") as ExistingPath;
}
