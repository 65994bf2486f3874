import { lstatSync, type Stats } from "node:fs";
import { isExistingPath } from "../../kernel/document-path.ts";
import { type Source, type SurveyedFolder, UnreadableDocument } from "../../kernel/source.ts";
import type { Directory } from "./directory.ts";
import type { RootFolders } from "./root-folders.ts";
import { hasCode, toStorageError } from "./storage-error.ts";
import { readSurveyed } from "./survey-document.ts";
import { isOutOfReach, isPassedOver, quickPaths, surveyDocument, surveyFolders } from "./survey-folders.ts";
import { stampOf } from "./survey-stamp.ts";
import { type WatchedFolders, watchFolders } from "./watch-folders.ts";
import type { WatchQueue } from "./watch-queue.ts";
import { reasonNotToWatch, refusalToWatch } from "./watch-refusal.ts";

export interface FilesSourceOptions {
  readonly roots: RootFolders;
  readonly root: string;
  readonly maxReadBytes: number;
  readonly now: () => number;
  /** Which paths are documents to the caller, such as those that end in `.md`. */
  readonly isDocument: (path: string) => boolean;
  /** Asked for when something is to be watched; all roots of a store share one. */
  readonly queue: () => WatchQueue;
}

/** What lies in folders is looked at at once. */
export interface FilesSource extends Source {
  survey(at?: string): Iterable<SurveyedFolder>;
}

/** A root of folders as a search index sees it. Creates nothing in it. */
export function openFilesSource(options: FilesSourceOptions): FilesSource {
  const { roots, root, isDocument, now } = options;
  const identity = roots.realPath({ root, segments: [] });
  const shared = new Map<string, number>();
  const refused = new Set<string>();
  const isOwn = (folder: string) => roots.owned({ root, segments: segmentsOf(folder) }).root === root;
  const surveying = {
    maxBytes: options.maxReadBytes,
    isDocument,
    isOwn,
    realPath: identity,
    onShared: (path: string, stat: Stats) => void shared.set(path, stampOf(stat)),
    onRefused: (path: string) => void refused.add(path),
  };
  let watching: Watching | undefined;
  /** Undefined where nobody wants it watched, or it is. */
  let refusedAt: number | undefined;
  let isClosed = false;
  let held: OpenedFolder | undefined;
  let followed: OpenedFolder | undefined;
  let asked:
    | { readonly settled: Promise<boolean>; readonly answer: Promise<readonly string[] | undefined> }
    | undefined;

  /** Undefined where there is none that can be reached. */
  function open(folder: string): Directory | undefined {
    try {
      return roots.open({ root, segments: segmentsOf(folder) }, "listed");
    } catch (error) {
      if (isOutOfReach(error) || (folder !== "" && isRefused(error))) return undefined;
      throw error;
    }
  }

  function survey(at = ""): Generator<SurveyedFolder> {
    // What is not in an index is read again after each survey.
    for (const path of refused) if (at === "" || path === at || path.startsWith(`${at}/`)) refused.delete(path);
    return at === "" ? surveyRoot() : surveyAt(at);
  }

  function* surveyRoot(): Generator<SurveyedFolder> {
    release();
    const folder = open("");
    if (!folder) return;
    try {
      yield* surveyFolders(folder, "", surveying);
    } catch (error) {
      // Also where it is out of reach: taking the root for empty would drop a whole index.
      throw toStorageError(error, "look for documents");
    } finally {
      folder.close();
    }
  }

  function* surveyAt(at: string): Generator<SurveyedFolder> {
    release();
    if (!(isOfDocument(at) && isOwn(at))) return;
    const folder = takeFollowed(at) ?? open(parentOf(at));
    if (!folder) return;
    try {
      yield* surveyOne(folder, nameOf(at), at);
    } catch (error) {
      if (!isOutOfReach(error)) throw toStorageError(error, "look for documents");
    } finally {
      // Whoever asks for one document reads it next.
      if (held) folder.close();
      else hold(parentOf(at), folder);
    }
  }

  function* surveyOne(parent: Directory, name: string, at: string): Generator<SurveyedFolder> {
    const document = surveyDocument(parent, name, at, surveying);
    if (document) yield { folder: parentOf(at), documents: [document] };
    const folder = document ? undefined : open(at);
    if (!folder) return;
    try {
      yield* surveyFolders(folder, at, surveying);
    } finally {
      folder.close();
    }
  }

  /** Whoever is told what happened in a folder asks for that next, in the same turn of the event loop. */
  function openToFollow(path: string): Directory | undefined {
    const folder = open(path);
    return folder && { ...folder, close: () => keepFollowed({ path, folder }) };
  }

  function keepFollowed(folder: OpenedFolder): void {
    dropFollowed();
    followed = folder;
    setImmediate(dropFollowed);
  }

  function takeFollowed(at: string): Directory | undefined {
    if (at === "" || followed?.path !== parentOf(at)) return undefined;
    const { folder } = followed;
    followed = undefined;
    return folder;
  }

  function dropFollowed(): void {
    followed?.folder.close();
    followed = undefined;
  }

  /**
   * Whoever reads many documents reads those of one folder in a row, and opening it is half of the work. Held for a
   * turn of the event loop at most, and never past a question what there is: it may be another folder by then.
   */
  function openToRead(path: string): Directory | undefined {
    if (held?.path === path) return held.folder;
    release();
    const opened = isOwn(path) ? open(path) : undefined;
    return opened && hold(path, { ...opened, at: quickPaths(opened) });
  }

  function hold(path: string, folder: Directory): Directory {
    held = { path, folder };
    setImmediate(release);
    return folder;
  }

  function release(): void {
    held?.folder.close();
    held = undefined;
  }

  async function read(path: string): ReturnType<Source["read"]> {
    if (!isOfDocument(path)) return undefined;
    const parent = parentOf(path);
    const name = nameOf(path);
    const onShared = (stat: Stats) => surveying.onShared(path, stat);
    const onRefused = () => surveying.onRefused(path);
    refused.delete(path);
    try {
      const folder = openToRead(parent);
      if (!folder) return undefined;
      roots.assertSpelling({ root, segments: segmentsOf(parent) }, folder, name);
      return readSurveyed(folder, name, { maxBytes: options.maxReadBytes, now, onShared, onRefused });
    } catch (error) {
      if (isRefused(error) || isOutOfReach(error)) return undefined;
      const failure = toStorageError(error, `read “${path}”`);
      const { message, data, code } = failure;
      throw code === "STORAGE_FAILED" ? new UnreadableDocument(message, { data, cause: error }) : failure;
    }
  }

  /** Begins anew; afterwards only a survey knows what is there. */
  function begin(queue: WatchQueue): Watching {
    watching?.folders?.close();
    const losses = queue.losses();
    const folder = roots.open({ root, segments: [] });
    try {
      const folders = folder && watchFolders(folder, { queue, isDocument, isOwn, open: openToFollow });
      return { queue, losses, folders, device: folder?.device, inode: folder?.inode };
    } finally {
      folder?.close();
    }
  }

  async function watch(): ReturnType<Source["watch"]> {
    if (watching) return { kind: "watching" };
    refusedAt = now();
    try {
      const reason = reasonNotToWatch(open, root);
      if (reason !== undefined) return { kind: "unwatched", reason };
      const queue = options.queue();
      if (!(await queue.settled()) || isClosed) return refusalToWatch(root, undefined);
      watching ??= begin(queue);
      return { kind: "watching" };
    } catch (error) {
      return refusalToWatch(root, error);
    }
  }

  /** The same folder as when it began, or none, as then. */
  function isInPlace({ device, inode }: Watching): boolean {
    const folder = open("");
    folder?.close();
    return folder?.device === device && folder?.inode === inode;
  }

  function answer(): readonly string[] | undefined {
    if (!watching) return undefined;
    try {
      const isKnown = watching.losses === watching.queue.losses() && isInPlace(watching);
      const paths = isKnown ? (watching.folders?.take() ?? missing(watching)) : undefined;
      if (paths) return [...new Set([...paths, ...changedElsewhere()])];
      watching = begin(watching.queue);
    } catch {
      // What the matter is, `watch` says to whoever asks it again.
      stop();
      refusedAt = now();
    }
    return undefined;
  }

  /** A file with a second name changes by that one, and loses it, without an event in this folder. */
  function changedElsewhere(): string[] {
    let at: { readonly path: string; readonly folder: Directory | undefined } | undefined;
    try {
      return [...shared].flatMap(([path, stamp]) => {
        // After a backup by hard links these are all documents, those of one folder in a row.
        if (at?.path !== parentOf(path)) {
          at?.folder?.close();
          at = { path: parentOf(path), folder: open(parentOf(path)) };
        }
        const stat = at.folder && lstatSync(at.folder.at(nameOf(path)), { throwIfNoEntry: false });
        if (stat && stat.nlink > 1 && stampOf(stat) === stamp) return [];
        shared.delete(path);
        return [path];
      });
    } finally {
      at?.folder?.close();
    }
  }

  function stop(): void {
    watching?.folders?.close();
    watching = undefined;
  }

  return {
    root,
    identity,
    survey,
    read,
    refused: () => [...refused],
    watch,
    changes: async () => {
      release();
      if (!watching) {
        if (refusedAt !== undefined && now() - refusedAt > retryMs) await watch();
        return undefined;
      }
      const settled = watching.queue.settled();
      // Whoever shares the cookie shares the answer: what was told to one is not told again.
      if (asked?.settled !== settled) {
        asked = { settled, answer: settled.then((isSure) => (isSure ? answer() : undefined)) };
      }
      return asked.answer;
    },
    close: () => {
      isClosed = true;
      refusedAt = undefined;
      release();
      dropFollowed();
      stop();
    },
  };
}

/** A root that could not be watched may be some other time: a limit raised, a folder made readable. */
const retryMs = 10_000;

/** Somebody else's file, a link, no right: no document for us. A system out of descriptors is another matter. */
function isRefused(error: unknown): boolean {
  return hasCode(error, "NOT_A_DOCUMENT", "PERMISSION_DENIED", "NOT_FOUND", "INVALID_PATH");
}

/** A root that is not there has no documents, and none that changed. */
function missing({ folders }: Watching): ReadonlySet<string> | undefined {
  return folders === undefined ? new Set() : undefined;
}

interface OpenedFolder {
  readonly path: string;
  readonly folder: Directory;
}

interface Watching {
  readonly queue: WatchQueue;
  /** The queue's count when it began. */
  readonly losses: number;
  /** Undefined while the root's folder does not exist. */
  readonly folders: WatchedFolders | undefined;
  readonly device: bigint | undefined;
  readonly inode: bigint | undefined;
}

function segmentsOf(path: string): string[] {
  return path === "" ? [] : path.split("/");
}

/** Whether a survey could meet it. */
function isOfDocument(path: string): boolean {
  return isExistingPath(path) && !segmentsOf(path).some(isPassedOver);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
