import { mayLieSealed } from "../../backends/files/sealed-places.ts";
import type { Expectation } from "../../kernel/conflict.ts";
import { type ExistingPath, parseExistingPath } from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import { parseRecordName } from "../../kernel/record-name.ts";
import type { LogRequest, Operation } from "../../kernel/root-history.ts";
import type { Address } from "../../kernel/store.ts";
import { parseKnownName } from "../../notes/memories/memory-name.ts";
import { historyRoots } from "../../roots/history-roots.ts";
import type { RootPlan } from "../../roots/mount-roots.ts";
import type { BlamedLine } from "../blame.ts";
import type { EntryRevision } from "../entry-history.ts";
import type { RestoreResult, RevisionDiff, ShownRevision } from "../history.ts";
import { createHistory, type History } from "../history.ts";
import type { FolderAddress, FolderMoment, RestoredDocument } from "../restore-folder.ts";
import type { MissingDocument } from "../restore-missing.ts";
import type { UndoReport, UndoTarget } from "../undo.ts";
import { visibleHistory } from "../visible-history.ts";
import { topicEntries } from "./topic-entries.ts";
import { undoTopics } from "./undo-topics.ts";
import type { HistoryViewer, OpenedHistories } from "./workspace-history.ts";

/** A note, a file of lessons or one lesson: any name that a surface printed, or where it lies. */
type Meant = string | Address | LocatedRecord;

/** Where a note or lessons lie, or one lesson among them. */
export interface LocatedRecord {
  readonly at: Address;
  /** The title of a lesson; undefined where the document is meant. */
  readonly entry?: string | undefined;
}

/**
 * What was, by the names that people and agents use. What is changed carries the author of the session, and the index
 * of topics follows.
 */
export interface MemoryHistory
  extends Pick<History, "catchUp" | "log" | "maintain" | "previewUndo" | "status" | "trim"> {
  /**
   * The document that is meant by a memory's name, or by a path in the topics or the bank, with or without the name of
   * its folder before it; also one that is gone. `ci/cache › Stale cache` means a lesson. Only in these roots, where any
   * are given. Throws NOT_FOUND.
   */
  locate(given: string, roots?: readonly string[]): Promise<LocatedRecord>;
  /** The folder that is meant by a path, with or without the name of its root before it. Throws NOT_FOUND. */
  locateFolder(given: string): Promise<FolderAddress>;
  /** What was done, newest first, over all these roots. */
  timeline(request: TimelineRequest): Promise<{ operations: readonly TimelineOperation[]; hasMore: boolean }>;
  /** What was done to one lesson, newest first. */
  lessonLog(what: { readonly at: Address; readonly entry: string }, limit: number): Promise<readonly EntryRevision[]>;
  /** As it was in a revision, such as `~1`, the beginning of an id, or the newest. */
  show(what: Meant, rev?: string): Promise<ShownRevision>;
  /** Without `from`, against the revision before. */
  diff(what: Meant, range?: RevisionRange): Promise<RevisionDiff>;
  blame(what: Meant): Promise<readonly BlamedLine[]>;
  /** Makes a revision the newest one; a lesson is put back as it was before it was last changed, where none is given. */
  restore(what: Meant, rev?: string, expected?: Expectation): Promise<RestoreResult>;
  restoreFolder(at: FolderAddress, moment: FolderMoment, options?: DryRun): Promise<readonly RestoredDocument[]>;
  /** See `History.restoreMissing`. */
  restoreMissing(root: string, options?: DryRun): Promise<readonly MissingDocument[]>;
  undo(target: UndoTarget): Promise<UndoReport>;
  /** The caller knows that a part of history was lost; the roots where that was so. */
  acceptLoss(): Promise<readonly string[]>;
}

interface RevisionRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface DryRun {
  readonly dryRun?: boolean;
}

export interface TimelineRequest extends Omit<LogRequest, "path" | "folder" | "after"> {
  /** As `locate` takes it; with a slash at its end, a folder. */
  readonly name?: string | undefined;
  readonly roots?: readonly string[] | undefined;
}

export interface TimelineOperation extends Operation {
  readonly root: string;
}

/** What was, as somebody sees it. */
export function viewHistory({ roots, log }: OpenedHistories, viewer: HistoryViewer): MemoryHistory {
  const { plan, documents, stamp } = viewer;
  const seen = new Set(historyRoots(plan));
  const hidesAny = plan.mounted.some(({ isHidden }) => isHidden);
  // What agents keep may have been recorded before their folder was marked.
  const isSealed = (at: Address) => mayLieSealed(at.path) && documents.isHidden(at);
  const isHidden = hidesAny ? documents.isHidden : isSealed;
  const histories = roots
    .filter(({ root }) => seen.has(root))
    .map((one) => visibleHistory(one, (path) => isHidden({ root: one.root, path })));
  const history = createHistory({
    histories,
    documents,
    log,
    undoFormat: undoTopics(plan.topics),
  });
  const names = createNames({ history, documents, plan });

  /** The index of topics is made of their files. What was asked for is done, whatever becomes of it. */
  async function indexed<Result>(change: Promise<Result>): Promise<Result> {
    const result = await change;
    try {
      await viewer.reindexTopics();
    } catch (error) {
      if (!isRecollectError(error)) throw error;
      log("warning", "history", { message: error.message });
    }
    return result;
  }

  const meant = async (what: Meant): Promise<LocatedRecord> => {
    if (typeof what === "string") return names.locate(what);
    return "at" in what ? what : { at: what };
  };
  const lessonOf = (at: Address, title: string) => ({ at, title, format: topicEntries });
  const indexedIn = <Result>(root: string, change: Promise<Result>) =>
    root === plan.topics ? indexed(change) : change;

  return {
    catchUp: history.catchUp,
    log: history.log,
    maintain: history.maintain,
    previewUndo: history.previewUndo,
    status: history.status,
    trim: history.trim,
    locate: names.locate,
    locateFolder: (given) => locateFolder(history, given),
    timeline: createTimeline(history, async (given, asked) => (await names.locate(given, asked)).at),
    lessonLog: ({ at, entry }, limit) => history.entryLog({ ...lessonOf(at, entry), limit }),
    show: async (what, rev) => {
      const { at, entry } = await meant(what);
      if (entry === undefined) return history.show(at, rev);
      return shownLesson(at, await history.showEntry({ ...lessonOf(at, entry), rev }));
    },
    diff: async (what, range = {}) => {
      const { at, entry } = await meant(what);
      if (entry === undefined) return history.diff(at, range);
      const { from, to, text } = await history.diffEntry({ ...lessonOf(at, entry), ...range });
      return { from: from && shownLesson(at, from), to: shownLesson(at, to), text };
    },
    blame: async (what) => {
      const { at, entry } = await meant(what);
      return entry === undefined ? history.blame(at) : history.blameEntry(lessonOf(at, entry));
    },
    restore: async (what, rev, expected) => {
      const { at, entry } = await meant(what);
      if (entry !== undefined) return indexed(history.restoreEntry({ ...lessonOf(at, entry), rev }, stamp));
      if (rev === undefined) throw new RecollectError("INVALID_ARGUMENT", "Which revision? Give one, such as ~1.");
      return indexedIn(at.root, history.restore(at, rev, stamp, expected));
    },
    restoreFolder: (at, moment, options) => indexedIn(at.root, history.restoreFolder(at, moment, stamp, options)),
    restoreMissing: (root, options) => indexedIn(root, history.restoreMissing(root, stamp, options)),
    undo: (target) => indexed(history.undo(target, stamp)),
    acceptLoss: () => history.acceptLoss(stamp.author),
  };
}

/** A lesson has no bytes of its own, and lies where its file lies now. */
function shownLesson(at: Address, { operation, rev, text }: EntryRevision): ShownRevision {
  return { operation, path: at.path, rev, bytes: undefined, text };
}

/** Where a folder can be: in the root whose name it begins with, or in any. */
function foldersFor(given: string, roots: readonly string[]): FolderAddress[] {
  const name = given.replace(/\/$/, "");
  const inRoot = roots.find((root) => name === root || name.startsWith(`${root}/`));
  if (inRoot === undefined) return roots.map((root) => ({ root, folder: parseExistingPath(name) }));
  const below = name.slice(inRoot.length + 1);
  return [{ root: inRoot, ...(below === "" ? {} : { folder: parseExistingPath(below) }) }];
}

async function locateFolder(history: History, given: string): Promise<FolderAddress> {
  const known: FolderAddress[] = [];
  for (const at of foldersFor(given, history.roots)) {
    if ((await history.log({ ...at, limit: 1 })).operations.length > 0) known.push(at);
  }
  const [first, ...others] = known;
  if (!first) throw new RecollectError("NOT_FOUND", `There is no history of a folder “${given}”.`);
  if (others.length === 0) return first;
  const names = known.map(({ root, folder }) => `${root}/${folder ?? ""}`);
  throw new RecollectError("INVALID_ARGUMENT", `Several folders are called so. Say which: ${names.join(", ")}.`);
}

function createTimeline(
  history: History,
  locate: (given: string, roots: readonly string[]) => Promise<Address>,
): MemoryHistory["timeline"] {
  async function placesOf(name: string | undefined, roots: readonly string[]) {
    if (name === undefined) return roots.map((root) => ({ root }));
    return name.endsWith("/") ? foldersFor(name, roots) : [await locate(name, roots)];
  }

  return async ({ name, roots = history.roots, limit, ...filter }) => {
    const operations: TimelineOperation[] = [];
    const failures: unknown[] = [];
    const places = await placesOf(name, roots);
    for (const place of places) {
      try {
        const page = await history.log({ ...place, ...filter, limit: limit + 1 });
        operations.push(...page.operations.map((operation) => ({ ...operation, root: place.root })));
      } catch (error) {
        // One folder without history leaves those of the others.
        if (!isRecollectError(error) || error.code !== "STORAGE_FAILED") throw error;
        failures.push(error);
      }
    }
    if (failures.length > 0 && operations.length === 0) throw failures[0];
    operations.sort((one, other) => Date.parse(other.time) - Date.parse(one.time));
    return { operations: operations.slice(0, limit), hasMore: operations.length > limit };
  };
}

function createNames({ history, documents, plan }: { history: History; documents: Documents; plan: RootPlan }) {
  const memoryRoots = new Map(plan.memoryFolders.map(({ root, kind }) => [root, kind === "global"]));

  /** Where it could be, in the order in which a name is looked for. */
  function candidatesFor(given: string, roots: readonly string[]): Address[] {
    const others = roots.filter((root) => !memoryRoots.has(root));
    const plain = given.replace(/^mem:/, "");
    const inRoot = roots
      .filter((root) => plain.startsWith(`${root}/`))
      .flatMap((root) => pathsOf(plain.slice(root.length + 1)).map((path) => ({ root, path })));
    const name = orNothing(() => parseKnownName(given));
    const memories = [...memoryRoots]
      .filter(([root, isGlobal]) => isGlobal === name?.isGlobal && roots.includes(root))
      .flatMap(([root]) => (name ? [{ root, path: name.path }] : []));
    const files = others.flatMap((root) => pathsOf(plain).map((path) => ({ root, path })));
    // Another root may lie inside: what is there is its own.
    return [...inRoot, ...memories, ...files].filter((at) => roots.includes(documents.resolve(at).root));
  }

  async function isThere(at: Address): Promise<boolean> {
    try {
      return (await documents.read(at)) !== undefined;
    } catch (error) {
      if (!isRecollectError(error)) throw error;
      return error.code === "NOT_UTF8" || error.code === "TOO_LARGE";
    }
  }

  async function was(at: Address): Promise<boolean> {
    try {
      return (await history.log({ ...at, limit: 1 })).operations.length > 0;
    } catch (error) {
      if (isRecollectError(error) && error.code === "NOT_A_DOCUMENT") return false;
      throw error;
    }
  }

  async function locateDocument(given: string, roots: readonly string[]): Promise<Address> {
    const candidates = candidatesFor(given, roots);
    for (const at of candidates) if (await isThere(at)) return documents.resolve(at);
    for (const at of candidates) if (await was(at)) return documents.resolve(at);
    // What could never be a name is wrong in itself.
    parseExistingPath(given.replace(/^mem:/, ""));
    throw new RecollectError("NOT_FOUND", `There is no history of “${given}”.`, { data: { name: given } });
  }

  async function locate(given: string, roots: readonly string[] = history.roots): Promise<LocatedRecord> {
    const { name, titles } = parseRecordName(given);
    const title = titles.at(-1);
    if (title !== undefined && plan.topics !== undefined && roots.includes(plan.topics)) {
      const at = await locateDocument(name, [plan.topics]).catch(nothingThere);
      const revisions = at && (await history.entryLog({ at, title, format: topicEntries, limit: 1 }));
      if (at && revisions?.length) return { at, entry: title };
    }
    return { at: await locateDocument(name, roots) };
  }

  return { locate };
}

/** As it is, and with the ending that topics have. */
function pathsOf(given: string): ExistingPath[] {
  return [given, `${given}.md`].flatMap((text) => orNothing(() => parseExistingPath(text)) ?? []);
}

function nothingThere(error: unknown): undefined {
  if (isRecollectError(error) && error.code === "NOT_FOUND") return undefined;
  throw error;
}

function orNothing<Value>(parse: () => Value): Value | undefined {
  try {
    return parse();
  } catch (error) {
    if (isRecollectError(error)) return undefined;
    throw error;
  }
}
