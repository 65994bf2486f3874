import { isUtf8 } from "node:buffer";
import { type Dirent, readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import {
  brokenRule,
  comparePaths,
  type ExistingPath,
  isExistingPath,
  isReservedFolder,
  parseExistingPath,
} from "../../kernel/document-path.ts";
import { isRecollectError } from "../../kernel/errors.ts";
import type { FolderListing, ListEntry, ListPage, ListRequest } from "../../kernel/store.ts";
import { hasIntent } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { readDocumentFile } from "./document-file.ts";
import { isDraftName } from "./plain-draft.ts";
import type { Place, RootFolders } from "./root-folders.ts";
import { hasCode } from "./storage-error.ts";

interface Listing {
  readonly request: ListRequest;
  readonly roots: RootFolders;
  /** Reading limit; undefined where no details are asked for. */
  readonly maxBytes: number | undefined;
  /** Folders on the way in which a commit was cut off: what they show may be half of it. */
  readonly cutOff: Place[];
}

/** So much is read for details, then others have their turn. */
const turnBytes = 512 * 1024;

/** Walks in the order of whole paths, and only as far as the page needs. */
export async function listDocuments(
  request: ListRequest,
  roots: RootFolders,
  maxReadBytes: number,
): Promise<{ page: ListPage; cutOff: readonly Place[] }> {
  const entries: ListEntry[] = [];
  const cutOff: Place[] = [];
  const segments = request.folder === undefined ? [] : parseExistingPath(request.folder).split("/");
  const listing = { request, roots, maxBytes: request.details ? maxReadBytes : undefined, cutOff };
  let read = 0;
  for (const entry of walk({ root: request.root, segments }, listing)) {
    if (entries.length === request.limit) return { page: { entries, next: entries.at(-1)?.path }, cutOff };
    entries.push(entry);
    read += entry.details?.size ?? 0;
    if (read < turnBytes) continue;
    await setImmediate();
    read = 0;
  }
  return { page: { entries, next: undefined }, cutOff };
}

function* walk(place: Place, listing: Listing, spelling?: "listed"): Generator<ListEntry> {
  const { roots, request } = listing;
  const folder = roots.open(place, spelling);
  if (!folder) return;
  try {
    if (hasIntent(folder)) listing.cutOff.push(place);
    const after = request.after ?? "";
    const owner = roots.placeOf(roots.realPath(place))?.root ?? place.root;
    const prefix = place.segments.map((segment) => `${segment}/`).join("");
    for (const entry of sortedEntries(folder)) {
      const path = prefix + entry.name;
      if (entry.isDirectory()) {
        // Everything below sorts as `path/…`: skip it whole where that lies before the page.
        if (comparePaths(`${path}/`, after) < 0 && !after.startsWith(`${path}/`)) continue;
        yield* walkChild({ root: place.root, segments: path.split("/") }, listing);
      } else if (comparePaths(path, after) > 0) {
        yield describe(entry, { path: path as ExistingPath, owner }, folder, listing.maxBytes);
      }
    }
  } finally {
    folder.close();
  }
}

/** A folder that went away or became a link during the listing is left out of it. */
function* walkChild(place: Place, listing: Listing): Generator<ListEntry> {
  try {
    yield* walk(place, listing, "listed");
  } catch (error) {
    if (!hasCode(error, "NOT_A_DOCUMENT", "PERMISSION_DENIED", "EACCES")) throw error;
  }
}

function sortedEntries(folder: Directory): Dirent[] {
  return readdirSync(folder.at("."), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith(".") && !isReservedFolder(name))
    .sort((a, b) => comparePaths(sortKey(a), sortKey(b)));
}

/** What is in a folder comes after its name and a slash. */
function sortKey(entry: Dirent): string {
  return entry.isDirectory() ? `${entry.name}/` : entry.name;
}

/** With a reading limit given, also reads the document for its details. */
function describe(
  entry: Dirent,
  named: { path: ExistingPath; owner: string },
  folder: Directory,
  maxBytes: number | undefined,
): ListEntry {
  const kind = entry.isSymbolicLink() ? "link" : entry.isFile() ? undefined : "special";
  const remark = kind ?? brokenRule(named.path);
  const plain = remark === undefined ? named : { ...named, remark };
  if (maxBytes === undefined || kind) return plain;
  try {
    const file = readDocumentFile(folder, entry.name, maxBytes);
    if (!file) return plain;
    const details = { size: Number(file.stat.size), modified: Number(file.stat.mtimeMs), rev: file.rev };
    if (!isUtf8(file.bytes)) return { ...plain, details, remark: "not-utf8" };
    return file.isShared && remark === undefined ? { ...plain, details, remark: "hard-link" } : { ...plain, details };
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    const reason = error.data["reason"] ?? error.code.toLowerCase().replaceAll("_", "-");
    return { ...plain, remark: String(reason) };
  }
}

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
