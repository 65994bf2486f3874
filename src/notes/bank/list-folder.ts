import { setImmediate } from "node:timers/promises";
import { comparePaths, type ExistingPath } from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import { type ErrorCode, isRecollectError, RecollectError } from "../../kernel/errors.ts";
import type { FolderListing } from "../../kernel/store.ts";
import type { ParseIgnoreFile } from "./gitignore.ts";
import { type IgnoreScope, openIgnoreScope } from "./ignored-paths.ts";

export interface FolderContents {
  /** Paths from the area or the project, sorted. */
  readonly dirs: readonly string[];
  readonly files: readonly string[];
  /** How many more there are; those that lie deepest are left out first. */
  readonly leftOut: number;
  /** False where counting was given up: then there are more than `leftOut`. */
  readonly counted: boolean;
  /** The folder itself is ignored, so nothing in it is shown. */
  readonly ignored: boolean;
}

export interface ListFolderRequest {
  readonly root: string;
  readonly folder: ExistingPath | undefined;
  readonly recursive: boolean;
  readonly limit: number;
  /** Undefined where nothing is ignored. */
  readonly ignore: ParseIgnoreFile | undefined;
}

/** Beyond the limit, so many are counted before the rest is called “more”. */
const countedBeyond = 10_000;
/** Folders between two turns of the event loop, so that one long listing holds nobody up. */
const foldersInOneGo = 20;

/** A folder below the one asked for that went away, or may not be looked into, is left out. */
const skipped: ReadonlySet<ErrorCode> = new Set(["NOT_A_DOCUMENT", "PERMISSION_DENIED", "NOT_ALLOWED", "READ_ONLY"]);

export async function listFolder(documents: Documents, request: ListFolderRequest): Promise<FolderContents> {
  const { root, folder, limit, ignore } = request;
  const scope = ignore && (await scopeAt(folder, await openIgnoreScope({ documents, root, parse: ignore })));
  const listing = await documents.browse(folder === undefined ? { root } : { root, folder });
  if (!listing && folder !== undefined) throw noSuchFolder(folder);
  const [dirs, files]: [string[], string[]] = [[], []];
  const ignored = scope === "ignored";
  // An area that nobody has written to yet is empty, not missing.
  if (!listing || scope === "ignored") return { dirs, files, leftOut: 0, counted: true, ignored };
  let leftOut = 0;
  for await (const { path, isFolder } of walk({ listing, scope }, documents, request)) {
    if (dirs.length + files.length < limit) (isFolder ? dirs : files).push(path);
    else leftOut += 1;
    if (leftOut === countedBeyond) break;
  }
  const counted = leftOut < countedBeyond;
  return { dirs: dirs.sort(comparePaths), files: files.sort(comparePaths), leftOut, counted, ignored };
}

interface Visit {
  readonly listing: FolderListing;
  readonly scope: IgnoreScope | undefined;
}

/** Level by level: where not all of it fits, the outline of the folder does. */
async function* walk(
  start: Visit,
  documents: Documents,
  { root, recursive }: ListFolderRequest,
): AsyncGenerator<{ path: string; isFolder: boolean }> {
  const waiting: { readonly path: ExistingPath; readonly scope: IgnoreScope | undefined }[] = [];
  function* show({ listing, scope }: Visit) {
    const { folders, files } = keepShown(listing, scope);
    for (const path of folders) {
      waiting.push({ path, scope });
      yield { path, isFolder: true };
    }
    for (const path of files) yield { path, isFolder: false };
  }
  yield* show(start);
  if (!recursive) return;
  let visited = 0;
  // It grows while it is walked through.
  for (const { path, scope } of waiting) {
    visited += 1;
    if (visited % foldersInOneGo === 0) await setImmediate();
    const listing = await browseOrSkip(documents, root, path);
    if (!listing) continue;
    const hasRules = scope && listing.files.includes(`${path}/.gitignore` as ExistingPath);
    yield* show({ listing, scope: hasRules ? await scope.enter(path) : scope });
  }
}

/** The rules that hold in a folder, or that it is ignored itself; then nothing below it can come back, as in git. */
async function scopeAt(folder: ExistingPath | undefined, outermost: IgnoreScope): Promise<IgnoreScope | "ignored"> {
  let scope = outermost;
  const segments = folder?.split("/") ?? [];
  for (const depth of segments.keys()) {
    const path = segments.slice(0, depth + 1).join("/") as ExistingPath;
    if (scope.isIgnored(path, true)) return "ignored";
    scope = await scope.enter(path);
  }
  return scope;
}

function keepShown(listing: FolderListing, scope: IgnoreScope | undefined): FolderListing {
  if (!scope) return listing;
  return {
    folders: listing.folders.filter((path) => !scope.isIgnored(path, true)),
    files: listing.files.filter((path) => !scope.isIgnored(path, false)),
  };
}

async function browseOrSkip(
  documents: Documents,
  root: string,
  folder: ExistingPath,
): Promise<FolderListing | undefined> {
  try {
    return await documents.browse({ root, folder });
  } catch (error) {
    if (isRecollectError(error) && skipped.has(error.code)) return undefined;
    throw error;
  }
}

function noSuchFolder(folder: ExistingPath): RecollectError {
  return new RecollectError(
    "NOT_FOUND",
    `There is no folder “${folder}”. List the one above it to see what is there.`,
    {
      data: { folder },
    },
  );
}
