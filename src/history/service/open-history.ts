import { mayLieSealed } from "../../backends/files/sealed-places.ts";
import { type ExistingPath, parseExistingPath } from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { parseRecordName } from "../../kernel/record-name.ts";
import type { LogRequest, Operation, RootHistory } from "../../kernel/root-history.ts";
import type { Address, Stamp } from "../../kernel/store.ts";
import { parseKnownName } from "../../notes/memories/memory-name.ts";
import { createNameOf, type NameOf } from "../../roots/document-names.ts";
import { historyRoots, mirrorOf } from "../../roots/history-roots.ts";
import type { RootPlan } from "../../roots/mount-roots.ts";
import type { EntryFormat } from "../entry-history.ts";
import { openGitHistory } from "../git/git-history.ts";
import { createHistory, type History } from "../history.ts";
import type { FolderAddress } from "../restore-folder.ts";
import { visibleHistory } from "../visible-history.ts";
import { recordElsewhere, recordLater } from "./record-elsewhere.ts";
import { topicEntries } from "./topic-entries.ts";
import { undoTopics } from "./undo-topics.ts";
import type { HistoriesOptions, HistoryViewer } from "./workspace-history.ts";

/** History with the names that people and agents use. */
export interface MemoryHistory extends ViewedHistory {
  /** Who restores and undoes here. */
  readonly stamp: Stamp;
  /**
   * The document that is meant by a memory's name, or by a path in the topics or the bank, with or without the name of
   * its folder before it; also one that is gone. Only in these roots, where any are given. Throws NOT_FOUND.
   */
  locate(given: string, roots?: readonly string[]): Promise<Address>;
  /** The same, and which lesson is meant where a surface printed one: `ci/cache › Stale cache`. */
  locateRecord(given: string, roots?: readonly string[]): Promise<LocatedRecord>;
  /** The folder that is meant by a path, with or without the name of its root before it. Throws NOT_FOUND. */
  locateFolder(given: string): Promise<FolderAddress>;
  /** What was done, newest first, over all these roots. */
  timeline(request: TimelineRequest): Promise<{ operations: readonly TimelineOperation[]; hasMore: boolean }>;
  /** How one entry of a file of topics is found by its title. */
  readonly entryFormat: EntryFormat;
  readonly nameOf: NameOf;
}

interface LocatedRecord {
  readonly at: Address;
  /** The title of a lesson; undefined where the document is meant. */
  readonly entry: string | undefined;
}

type ViewedHistory = Omit<History, "close">;

export interface TimelineRequest extends Omit<LogRequest, "path" | "folder" | "after"> {
  /** As `locate` takes it; with a slash at its end, a folder. */
  readonly name?: string | undefined;
  readonly roots?: readonly string[] | undefined;
}

export interface TimelineOperation extends Operation {
  readonly root: string;
}

/** The histories of a workspace's folders, which several may read: each what they see, and under their own name. */
export interface OpenedHistories {
  readonly roots: readonly RootHistory[];
  readonly log: Log;
  readonly notices: () => readonly string[];
}

export function openHistories(options: HistoriesOptions): OpenedHistories {
  const notices = new Set<string>();
  const log: Log = (level, event, fields = {}) => {
    if (typeof fields["message"] === "string") notices.add(fields["message"]);
    options.log(level, event, fields);
  };
  const { stores, plan, env, mirrors, keepMs, stays, closing, over } = options;
  const roots = historyRoots(plan).map((root) => {
    const space = stores.spaceOf(root);
    if (stores.database && space !== undefined) {
      return stores.database.history({ root, space, now: Date.now, keepMs: keepMs(root) });
    }
    const own = plan.folders.find(({ name }) => name === root);
    const mirror = own && mirrorOf(own, mirrors);
    const elsewhere = (waitMs: number) =>
      recordElsewhere({ folders: plan.folders, root, env, mirror, waitMs }, log, closing);
    return openGitHistory({
      trail: stores.files.trail(root),
      env,
      now: Date.now,
      keepMs: keepMs(root),
      log,
      mirror,
      over,
      // A command has nobody who waits for another answer.
      recordElsewhere: stays ? elsewhere : undefined,
      recordLater: () => recordLater({ folders: plan.folders, root, env, mirror }),
    });
  });
  return { roots, log, notices: () => [...notices] };
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
  // It is closed with the workspace: others look at it too.
  const { close: _, ...history } = createHistory({
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

  return {
    ...history,
    ...names,
    stamp,
    entryFormat: topicEntries,
    timeline: createTimeline(history, async (given, asked) => (await names.locateRecord(given, asked)).at),
    locateFolder: (given) => locateFolder(history, given),
    restoreFolder: (at, ...rest) =>
      at.root === plan.topics ? indexed(history.restoreFolder(at, ...rest)) : history.restoreFolder(at, ...rest),
    restore: (at, ...rest) =>
      at.root === plan.topics ? indexed(history.restore(at, ...rest)) : history.restore(at, ...rest),
    restoreMissing: (root, ...rest) =>
      root === plan.topics ? indexed(history.restoreMissing(root, ...rest)) : history.restoreMissing(root, ...rest),
    restoreEntry: (...asked) => indexed(history.restoreEntry(...asked)),
    undo: (...asked) => indexed(history.undo(...asked)),
  };
}

/** Where a folder can be: in the root whose name it begins with, or in any. */
function foldersFor(given: string, roots: readonly string[]): FolderAddress[] {
  const name = given.replace(/\/$/, "");
  const inRoot = roots.find((root) => name === root || name.startsWith(`${root}/`));
  if (inRoot === undefined) return roots.map((root) => ({ root, folder: parseExistingPath(name) }));
  const below = name.slice(inRoot.length + 1);
  return [{ root: inRoot, ...(below === "" ? {} : { folder: parseExistingPath(below) }) }];
}

async function locateFolder(history: ViewedHistory, given: string): Promise<FolderAddress> {
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

function createTimeline(history: ViewedHistory, locate: MemoryHistory["locate"]): MemoryHistory["timeline"] {
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

function createNames({ history, documents, plan }: { history: ViewedHistory; documents: Documents; plan: RootPlan }) {
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

  async function locate(given: string, roots: readonly string[] = history.roots): Promise<Address> {
    const candidates = candidatesFor(given, roots);
    for (const at of candidates) if (await isThere(at)) return documents.resolve(at);
    for (const at of candidates) if (await was(at)) return documents.resolve(at);
    // What could never be a name is wrong in itself.
    parseExistingPath(given.replace(/^mem:/, ""));
    throw new RecollectError("NOT_FOUND", `There is no history of “${given}”.`, { data: { name: given } });
  }

  async function locateRecord(given: string, roots: readonly string[] = history.roots): Promise<LocatedRecord> {
    const { name, titles } = parseRecordName(given);
    const title = titles.at(-1);
    if (title !== undefined && plan.topics !== undefined && roots.includes(plan.topics)) {
      const at = await locate(name, [plan.topics]).catch(nothingThere);
      const revisions = at && (await history.entryLog({ at, title, format: topicEntries, limit: 1 }));
      if (at && revisions?.length) return { at, entry: title };
    }
    return { at: await locate(name, roots), entry: undefined };
  }

  return { locate, locateRecord, nameOf: createNameOf(plan) };
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
