import { type Conflict, type Expectation, meets } from "../kernel/conflict.ts";
import { asNewName, type ExistingPath } from "../kernel/document-path.ts";
import type { Documents } from "../kernel/documents.ts";
import { isRecollectError, RecollectError } from "../kernel/errors.ts";
import { type Log, noLog } from "../kernel/log.ts";
import type { Rev } from "../kernel/revision.ts";
import type { CatchUp, HistoryStatus, LogPage, LogRequest, Operation, RootHistory } from "../kernel/root-history.ts";
import type { Address, Change, Stamp } from "../kernel/store.ts";
import { diffLines } from "../text/diff-lines.ts";
import { unifiedText } from "../text/unified-text.ts";
import { type BlamedLine, blameLines } from "./blame.ts";
import { contentOf, notText, textOf } from "./document-text.ts";
import { diffEntry, type EntryDiff, linesOfEntry } from "./entry-changes.ts";
import { type EntryFormat, type EntryRevision, entryRevisions, findEntryRevision } from "./entry-history.ts";
import { bytesAfter, findBefore, findRevision, type Revision } from "./find-revision.ts";
import { previewOf } from "./preview.ts";
import { type FolderAddress, type FolderMoment, type RestoredDocument, restoreFolder } from "./restore-folder.ts";
import { type MissingDocument, restoreMissing } from "./restore-missing.ts";
import { type UndoReport, type UndoTarget, undoOperations } from "./undo.ts";
import type { UndoFormat } from "./undo-format.ts";

/** A document as it was. */
export interface ShownRevision {
  readonly operation: Operation;
  /** What it was called then. */
  readonly path: ExistingPath;
  /** Undefined where it was gone. */
  readonly rev: Rev | undefined;
  readonly bytes: Uint8Array | undefined;
  /** Undefined where it was gone, or is no UTF-8 text. */
  readonly text: string | undefined;
}

export interface RevisionDiff {
  /** Undefined where there was nothing before. */
  readonly from: ShownRevision | undefined;
  readonly to: ShownRevision;
  /** As `diff -u` shows it, made when it is asked for; undefined where one of the two is no text. */
  readonly text: string | undefined;
}

export type RestoreResult =
  | {
      readonly kind: "restored";
      readonly rev: Rev | undefined;
      readonly was: Rev | undefined;
      readonly from: Operation;
    }
  | { readonly kind: "unchanged"; readonly rev: Rev | undefined }
  | Conflict;

export interface EntryRequest {
  readonly at: Address;
  readonly title: string;
  readonly format: EntryFormat;
}

/**
 * What was, over all roots of a workspace. Every reader catches up first, and everything that changes a document goes
 * through the kernel, so that policies, the guard and locks hold: a restored document is a new revision.
 *
 * A revision is named by the beginning of its id or of its operation's, by `~2` for the second before the newest, or
 * not at all for the newest.
 */
export interface History {
  readonly roots: readonly string[];
  /** Takes over what was written since, in every root. */
  catchUp(options?: { readonly waitMs?: number }): Promise<readonly (CatchUp & { readonly root: string })[]>;
  log(request: LogRequest & { readonly root: string }): Promise<LogPage>;
  show(at: Address, rev?: string): Promise<ShownRevision>;
  /** Without `from`, against the revision before. */
  diff(
    at: Address,
    range?: { readonly from?: string | undefined; readonly to?: string | undefined },
  ): Promise<RevisionDiff>;
  blame(at: Address): Promise<readonly BlamedLine[]>;
  restore(at: Address, rev: string, stamp: Stamp, expected?: Expectation): Promise<RestoreResult>;
  /** Puts all documents of a folder back as they were, as one operation. With `dryRun` only tells what it would do. */
  restoreFolder(
    at: FolderAddress,
    moment: FolderMoment,
    stamp: Stamp,
    options?: { readonly dryRun?: boolean },
  ): Promise<readonly RestoredDocument[]>;
  /**
   * Brings back every document of a root that is gone with no record of a deletion: `git clean` took it, or a hand. With
   * `dryRun` only tells what it would do.
   */
  restoreMissing(
    root: string,
    stamp: Stamp,
    options?: { readonly dryRun?: boolean },
  ): Promise<readonly MissingDocument[]>;
  undo(target: UndoTarget, stamp: Stamp): Promise<UndoReport>;
  /** What `undo` would do, as far as can be seen beforehand. */
  previewUndo(target: UndoTarget): Promise<UndoReport>;
  entryLog(request: EntryRequest & { readonly limit: number }): Promise<readonly EntryRevision[]>;
  showEntry(request: EntryRequest & { readonly rev?: string | undefined }): Promise<EntryRevision>;
  diffEntry(
    request: EntryRequest & { readonly from?: string | undefined; readonly to?: string | undefined },
  ): Promise<EntryDiff>;
  /** Of the document's lines, those of the entry. */
  blameEntry(request: EntryRequest): Promise<readonly BlamedLine[]>;
  /** Puts the entry back into the document as it is now. */
  restoreEntry(request: EntryRequest & { readonly rev?: string | undefined }, stamp: Stamp): Promise<RestoreResult>;
  /** Makes it small and quick; for the background. */
  maintain(): Promise<void>;
  /** Drops what is older than is to be kept (HIST-3b). How many operations went. */
  trim(): Promise<number>;
  /** Somebody knows that a part of history was lost; the roots where that was so. */
  acceptLoss(author: string): Promise<readonly string[]>;
  status(root: string): Promise<HistoryStatus>;
  close(): Promise<void>;
}

export interface HistoryOptions {
  readonly histories: readonly RootHistory[];
  readonly documents: Documents;
  /** How long a reader waits for another process that records just now. */
  readonly waitMs?: number;
  /** What is undone in documents that are more than lines. */
  readonly undoFormat?: UndoFormat;
  /** Told of what cannot be recorded where it is read all the same. */
  readonly log?: Log;
}

export function createHistory(options: HistoryOptions): History {
  const { histories, documents, waitMs = 5000, log = noLog, undoFormat: format } = options;
  const byRoot = new Map(histories.map((history) => [history.root, history]));

  function historyOf(root: string): RootHistory {
    const history = byRoot.get(root);
    if (history) return history;
    throw new RecollectError("NOT_FOUND", `No history is kept of “${root}”.`, { data: { root } });
  }

  /** The root that owns it, with everything recorded. Who may not read a document may not read what it was. */
  async function openAt(given: Address): Promise<{ at: Address; history: RootHistory }> {
    const at = documents.resolve(given);
    await assertReadable(at);
    const history = historyOf(at.root);
    await readyToRead(history);
    return { at, history };
  }

  async function assertReadable(at: Address): Promise<void> {
    try {
      await documents.read(at);
    } catch (error) {
      // It need not be there, nor be a text now.
      if (isRecollectError(error) && ["NOT_UTF8", "TOO_LARGE", "NOT_A_DOCUMENT"].includes(error.code)) return;
      throw error;
    }
  }

  async function readyToRead(history: RootHistory): Promise<void> {
    const why = await whyNone(history, () => readInSpite(history));
    if (why !== undefined) throw noHistory(why, history.root);
  }

  /** Damage that keeps anything from being recorded leaves what can still be read. */
  async function readInSpite(history: RootHistory): Promise<CatchUp> {
    try {
      return await history.catchUp({ waitMs });
    } catch (error) {
      if (!isRecollectError(error) || !["STORAGE_FAILED", "DISK_FULL"].includes(error.code)) throw error;
      const [newest] = await history.log({ limit: 1 }).then(
        ({ operations }) => operations,
        () => [],
      );
      if (!newest) throw error;
      const since = `What was written since ${newest.time} is not in it yet`;
      const message = `${error.message} Of “${history.root}” only what can be read is shown. ${since}; see: recollect verify`;
      log("warning", "history", { message });
      return { kind: "recorded", operations: 0 };
    }
  }

  /** Where nothing can be recorded now, what was recorded before can still be read. */
  async function whyNone(
    history: RootHistory,
    catchUp = () => history.catchUp({ waitMs }),
  ): Promise<string | undefined> {
    const caught = await catchUp();
    if (caught.kind !== "none") return undefined;
    return (await history.log({ limit: 1 })).operations.length > 0 ? undefined : caught.reason;
  }

  /** A root without history has nothing to undo, and keeps nobody from undoing in the others. */
  async function readyToUndo(): Promise<void> {
    const reasons: string[] = [];
    for (const history of histories) {
      const why = await whyNone(history);
      if (why !== undefined) reasons.push(why);
    }
    const [why] = reasons;
    if (why !== undefined && reasons.length === histories.length) throw noHistory(why);
  }

  async function show(history: RootHistory, revision: Revision): Promise<ShownRevision> {
    const bytes = await bytesAfter(history, revision);
    const { operation, change } = revision;
    return { operation, path: change.path, rev: change.rev, bytes, text: bytes && textOf(bytes) };
  }

  /** Where `make` gives no text, the document is taken away. */
  async function bringBack(
    at: Address,
    make: (now: string | undefined) => string | undefined,
    from: Operation,
    stamp: Stamp,
    expected: Expectation = {},
  ): Promise<RestoreResult> {
    const reason = `restore of ${from.id.slice(0, 10)} (${from.time})`;
    const target = asNewName(at);
    const result = await documents.commit(
      [at],
      (current): Change[] | RestoreResult => {
        const now = current(at);
        if (!meets(expected, now?.rev)) return { kind: "conflict", at, current: now?.rev };
        const before = contentOf(now);
        const text = make(before ?? undefined);
        if (text === before) return { kind: "unchanged", rev: now?.rev };
        return text === undefined ? [{ kind: "remove", at }] : [{ kind: "put", at: target, content: text }];
      },
      { reason, ...stamp },
    );
    if (result.kind !== "committed") return result;
    const [outcome] = result.outcomes;
    return { kind: "restored", rev: outcome?.rev, was: outcome?.was, from };
  }

  return {
    roots: [...byRoot.keys()],
    catchUp: async (options) => {
      const all: (CatchUp & { root: string })[] = [];
      for (const history of histories) all.push({ root: history.root, ...(await history.catchUp(options)) });
      return all;
    },
    log: async ({ root, ...request }) => {
      if (request.path !== undefined) {
        const { at, history } = await openAt({ root, path: request.path });
        return history.log({ ...request, path: at.path });
      }
      await documents.list({ root, limit: 1 });
      await readyToRead(historyOf(root));
      return historyOf(root).log(request);
    },
    show: async (given, rev) => {
      const { at, history } = await openAt(given);
      return show(history, await findRevision(history, at.path, rev));
    },
    diff: async (given, { from, to } = {}) => {
      const { at, history } = await openAt(given);
      const after = await findRevision(history, at.path, to);
      const before =
        from === undefined ? await findBefore(history, at.path, after) : await findRevision(history, at.path, from);
      const shown = { from: before && (await show(history, before)), to: await show(history, after) };
      let text: { readonly made: string | undefined } | undefined;
      return {
        ...shown,
        get text() {
          text ??= { made: diffOfShown(shown.from, shown.to) };
          return text.made;
        },
      };
    },
    blame: async (given) => {
      const { at, history } = await openAt(given);
      return blameLines(history, at.path);
    },
    restore: async (given, rev, stamp, expected) => {
      const { at, history } = await openAt(given);
      const { operation, bytes, text } = await show(history, await findRevision(history, at.path, rev));
      if (bytes && text === undefined) throw notText(at.path);
      return bringBack(at, () => text, operation, stamp, expected);
    },
    restoreFolder: async (at, moment, stamp, { dryRun = false } = {}) => {
      const history = historyOf(at.root);
      await readyToRead(history);
      const into = dryRun ? previewOf(documents) : documents;
      return restoreFolder(at, moment, { history, documents: into, stamp });
    },
    restoreMissing: async (root, stamp, { dryRun = false } = {}) => {
      const history = historyOf(root);
      await documents.list({ root, limit: 1 });
      await readyToRead(history);
      return restoreMissing({ history, documents, stamp, dryRun });
    },
    undo: async (target, stamp) => {
      await readyToUndo();
      return undoOperations({ histories, documents, target, stamp, format });
    },
    previewUndo: async (target) => {
      await readyToUndo();
      return undoOperations({ histories, documents: previewOf(documents), target, stamp: { author: "" }, format });
    },
    entryLog: async ({ at: given, title, format, limit }) => {
      const { at, history } = await openAt(given);
      const found: EntryRevision[] = [];
      for await (const revision of entryRevisions(history, at.path, title, format)) {
        if (found.length === limit) break;
        found.push(revision);
      }
      return found;
    },
    showEntry: async ({ at: given, title, format, rev }) => {
      const { at, history } = await openAt(given);
      return findEntryRevision(entryRevisions(history, at.path, title, format), title, rev);
    },
    diffEntry: async ({ at: given, title, format, from, to }) => {
      const { at, history } = await openAt(given);
      return diffEntry(() => entryRevisions(history, at.path, title, format), title, { from, to });
    },
    blameEntry: async ({ at: given, title, format }) => {
      const { at, history } = await openAt(given);
      return linesOfEntry(await blameLines(history, at.path), title, format);
    },
    restoreEntry: async ({ at: given, title, format, rev }, stamp) => {
      const { at, history } = await openAt(given);
      const found = await findEntryRevision(entryRevisions(history, at.path, title, format), title, rev);
      const entry = found.text;
      if (entry === undefined) {
        throw new RecollectError(
          "NOT_FOUND",
          `The entry “${title}” was not in the file then. Choose another revision.`,
        );
      }
      return bringBack(at, (now) => format.put(now ?? "", title, entry), found.operation, stamp);
    },
    maintain: async () => {
      for (const history of histories) await history.maintain();
    },
    trim: async () => {
      let dropped = 0;
      for (const history of histories) dropped += await history.trim();
      return dropped;
    },
    acceptLoss: async (author) => {
      const accepted: string[] = [];
      for (const history of histories) if (await history.acceptLoss(author)) accepted.push(history.root);
      return accepted;
    },
    status: (root) => historyOf(root).status(),
    close: async () => {
      for (const history of histories) await history.close();
    },
  };
}

function noHistory(why: string, root?: string): RecollectError {
  return new RecollectError("STORAGE_FAILED", `There is no history here: ${why}`, {
    data: root === undefined ? {} : { root },
  });
}

function diffOfShown(from: ShownRevision | undefined, to: ShownRevision): string | undefined {
  const isText = (one: ShownRevision | undefined) => one?.bytes === undefined || one.text !== undefined;
  if (!isText(from) || !isText(to)) return undefined;
  const nameOf = (one: ShownRevision | undefined, side: string) =>
    one?.rev === undefined ? "/dev/null" : `${side}/${one.path}`;
  return unifiedText(diffLines(from?.text ?? "", to.text ?? ""), { names: [nameOf(from, "a"), nameOf(to, "b")] });
}
