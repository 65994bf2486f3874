import type { BackendDocuments, FolderPart } from "../../kernel/backend.ts";
import { assertResolved, type ExistingPath, parseExistingPath } from "../../kernel/document-path.ts";
import { RecollectError } from "../../kernel/errors.ts";
import type { Source } from "../../kernel/source.ts";
import type { RecoveryReport, Resolved, Store } from "../../kernel/store.ts";
import { hasIntent } from "./auxiliary.ts";
import { type CommitContext, commitChanges } from "./commit.ts";
import { bestOpenDirectory, type Directory, type OpenDirectory } from "./directory.ts";
import { measureDocumentFile, readDocumentFile, toStoredText } from "./document-file.ts";
import { createFolderLocks } from "./folder-locks.ts";
import { lastRecordOf } from "./journal-tail.ts";
import { browseFolder, listDocuments } from "./list-documents.ts";
import { holdFolders, tryHoldFolders } from "./open-folders.ts";
import { type PlacedDocument, placeDocuments } from "./place-documents.ts";
import { commitPlainFile } from "./plain-file.ts";
import { recentDocuments } from "./recent-documents.ts";
import { hasLeftovers, type RecoveryContext, recoverFolder } from "./recovery.ts";
import { createRootFolders, type Place, type RootFolderOptions, splitAddress } from "./root-folders.ts";
import { type FilesSource, openFilesSource } from "./source.ts";
import { hasCode, toStorageError } from "./storage-error.ts";
import { openFilesTrail } from "./trail.ts";
import { walkBelow, walkFolders } from "./walk-folders.ts";
import { openWatchQueue, type WatchQueue } from "./watch-queue.ts";

export interface FilesStoreOptions {
  readonly roots: readonly RootFolderOptions[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How long to wait for another process before BUSY. */
  readonly lockTimeoutMs?: number;
  /** Documents over this are not read; larger than the writing limit, for files that people put there. */
  readonly maxReadBytes?: number;
  /** True blocks the event loop while the disk syncs, which is quicker; a server of many wants false. */
  readonly blockingSync?: boolean;
  /** Whether somebody follows the changes, and takes over what was superseded. True by default; else that is not kept. */
  readonly isFollowed?: boolean;
  readonly openDirectory?: OpenDirectory;
}

function placeOfScope({ root, folder }: { root: string; folder?: ExistingPath }): Place {
  return { root, segments: folder === undefined ? [] : parseExistingPath(folder).split("/") };
}

export interface FilesStore extends BackendDocuments, FolderPart {
  /** A root as a search index sees it; closed with the store. */
  source(root: string, options?: { readonly isDocument?: (path: string) => boolean }): FilesSource;
  /** Puts documents of which history tells already in their places; for whoever copies a history. */
  place(root: string, documents: readonly PlacedDocument[]): Promise<void>;
}

/** Documents as plain files in folders: see docs/FORMAT.md for every byte that this writes. */
export function openFilesStore(options: FilesStoreOptions): FilesStore {
  const roots = createRootFolders(options.roots, options.openDirectory ?? bestOpenDirectory());
  const locks = createFolderLocks({ timeoutMs: options.lockTimeoutMs ?? 30_000 });
  const context: CommitContext = {
    roots,
    locks,
    now: options.now,
    blocking: options.blockingSync ?? true,
    maxReadBytes: options.maxReadBytes ?? 16 * 1024 * 1024,
    isFollowed: options.isFollowed ?? true,
  };
  let closed = false;
  const running = new Set<Promise<unknown>>();
  const sources = new Set<Source>();
  let queue: WatchQueue | undefined;

  /** Every operation passes here: none after the end, and no error of the system gets out untranslated. */
  async function operation<Result>(doing: string, run: () => Result | Promise<Result>): Promise<Result> {
    if (closed) throw new RecollectError("INVALID_ARGUMENT", "This store was closed. Open it again.");
    const work = (async () => run())();
    running.add(work);
    try {
      return await work;
    } catch (error) {
      throw toStorageError(error, doing);
    } finally {
      running.delete(work);
    }
  }

  /** Opened for a look, after what was cut off there was brought to its end. The caller closes it. */
  async function lookInto(place: Place): Promise<Directory | undefined> {
    const folder = roots.open(place);
    try {
      if (folder && hasIntent(folder)) await recoverIfFree(place);
      return folder;
    } catch (error) {
      folder?.close();
      throw error;
    }
  }

  async function inFolder<Result>(
    at: Resolved,
    use: (folder: Directory, name: string) => Result,
  ): Promise<Result | undefined> {
    assertResolved(at);
    const { place, name } = splitAddress(at);
    const folder = await lookForReading(place);
    if (!folder) return undefined;
    try {
      roots.assertSpelling(place, folder, name);
      return use(folder, name);
    } finally {
      folder.close();
    }
  }

  /** A file in the place of a folder holds nothing. */
  async function lookForReading(place: Place): Promise<Directory | undefined> {
    try {
      return await lookInto(place);
    } catch (error) {
      if (error instanceof RecollectError && error.data["reason"] === "file") return undefined;
      throw error;
    }
  }

  /** Best effort: reading neither waits for a live writer nor needs the right to write. */
  async function recoverIfFree(met: Place): Promise<void> {
    const place = roots.owned(met);
    if (roots.isReadOnly(place) || roots.isPlain(place)) return;
    try {
      await recoverFolder(place, { roots, hold: (open) => tryHoldFolders(open, locks) });
    } catch (error) {
      if (!(error instanceof RecollectError) && !hasCode(error, "EACCES", "EPERM", "EROFS")) throw error;
    }
  }

  async function recover(scope: Parameters<Store["recover"]>[0]): Promise<RecoveryReport> {
    const left = [...(scope ? walkBelow(placeOfScope(scope), roots) : walkFolders(roots))]
      .filter((met) => met.hasAuxiliary && !roots.isReadOnly(met.place))
      .map((met) => met.place);
    const failures: unknown[] = [];
    let [completed, discarded] = [0, 0];
    for (const place of left) {
      try {
        const report = await sweep(place);
        completed += report.completed;
        discarded += report.discarded;
      } catch (error) {
        failures.push(error);
      }
    }
    // One folder that cannot be mended keeps nobody from mending the others.
    if (failures.length > 0) throw failures[0];
    return { completed, discarded };
  }

  const commit: Store["commit"] = async (addresses, plan, stamp) => {
    addresses.forEach(assertResolved);
    const plain = addresses.filter((at) => roots.isPlain(splitAddress(at).place));
    if (plain.length === 0) return commitChanges(addresses, plan, stamp, context);
    return commitPlainFile(addresses, plan, stamp, context);
  };

  async function sweep(place: Place): Promise<RecoveryReport> {
    const folder = roots.open(place);
    const needed = folder && hasLeftovers(folder);
    folder?.close();
    if (!needed) return { completed: 0, discarded: 0 };
    const hold: RecoveryContext["hold"] = (open) => holdFolders(open, locks);
    return recoverFolder(place, { roots, hold });
  }

  return {
    roots: roots.names,
    resolve: roots.resolve,
    read: (at) =>
      operation(`read “${at.path}”`, () =>
        inFolder(at, (folder, name) => {
          const file = readDocumentFile(folder, name, context.maxReadBytes);
          return file && toStoredText(file, name);
        }),
      ),
    measure: (at) =>
      operation(`look at “${at.path}”`, () =>
        inFolder(at, (folder, name) => measureDocumentFile(folder, name, context.maxReadBytes)),
      ),
    list: (request) =>
      operation("list the documents", async () => {
        const { page, cutOff } = await listDocuments(request, roots, context.maxReadBytes);
        if (cutOff.length === 0) return page;
        for (const place of cutOff) await recoverIfFree(place);
        return (await listDocuments(request, roots, context.maxReadBytes)).page;
      }),
    browse: ({ root, folder }) =>
      operation("list a folder", async () => {
        const place = placeOfScope(folder === undefined ? { root } : { root, folder });
        const open = await lookInto(place);
        try {
          return open && browseFolder(open, place);
        } finally {
          open?.close();
        }
      }),
    recent: (request) => operation("look for what changed last", () => recentDocuments(request, roots)),
    commit: (addresses, plan, stamp) => operation("write", () => commit(addresses, plan, stamp)),
    recover: (scope) => operation("recover", () => recover(scope)),
    source: (root, { isDocument = () => true } = {}) => {
      const sharedQueue = () => {
        queue ??= openWatchQueue();
        return queue;
      };
      const { now, maxReadBytes } = context;
      const opened = openFilesSource({ roots, root, isDocument, now, maxReadBytes, queue: sharedQueue });
      const source: FilesSource = {
        ...opened,
        // Where it is opened with other roots in it, or up to another size, it has other documents.
        identity: JSON.stringify([opened.identity, roots.innerFolders(root), maxReadBytes]),
        close: () => {
          sources.delete(source);
          opened.close();
        },
      };
      sources.add(source);
      return source;
    },
    // Where its folder's journal still ends with that.
    authorOf: async (at, rev) => {
      const record = lastRecordOf(at, roots);
      return record && record.rev === rev ? record.author : undefined;
    },
    readBytes: (at) =>
      operation(`read “${at.path}”`, () =>
        inFolder(roots.resolve(at), (folder, name) => {
          const file = readDocumentFile(folder, name, Number.POSITIVE_INFINITY);
          return file && { bytes: file.bytes, modified: Number(file.stat.mtimeMs) };
        }),
      ),
    place: (root, documents) => operation("place documents", () => placeDocuments(root, documents, { roots, locks })),
    trail: (root) => openFilesTrail({ roots, root, locks, now: context.now }),
    close: async () => {
      closed = true;
      for (const source of sources) source.close();
      queue?.close();
      // A descriptor that is closed under an operation would mean another folder as soon as it is used again.
      await Promise.allSettled(running);
      locks.close();
      roots.close();
    },
  };
}
