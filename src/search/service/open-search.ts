import { hash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { counted } from "../../kernel/counted.ts";
import type { Source } from "../../kernel/source.ts";
import { createLocalDates } from "../../notes/topics/local-date.ts";
import { createSearch } from "../create-search.ts";
import { fieldWeights } from "../field-weights.ts";
import { openIndexFile, openMemoryIndex } from "../index/open-index.ts";
import { staticTableFolder } from "../meaning/package-folder.ts";
import { loadStaticTable } from "../meaning/static-table.ts";
import { openVectorCache } from "../meaning/vector-cache.ts";
import { createTableMeaning, type Meaning, noMeaning } from "../meaning.ts";
import { createMeaningQueue, type MeaningQueue } from "../meaning-queue.ts";
import { createModelMeaning } from "../model-meaning.ts";
import type { Describe } from "../prepare-batches.ts";
import type { RankingWeights } from "../rank.ts";
import { createRootIndex, type RootIndex, type RootIndexOptions } from "../root-index.ts";
import type { Search } from "../search.ts";
import type { DocumentKind } from "../unit.ts";
import type { BuildRequest } from "./build-elsewhere.ts";
import type { ChosenModel } from "./choose-model.ts";
import type { DescriberOptions, InspectOptions } from "./describe-document.ts";
import { createIndexUse } from "./index-use.ts";
import { removeIndex, removeOldIndexes } from "./old-indexes.ts";
import { openModel, type UsableModel } from "./open-model.ts";
import { keyOf } from "./shown-texts.ts";

/** A root whose documents are searched. */
export interface SearchedRoot {
  readonly source: Source;
  readonly kind: DocumentKind;
  /** Names the rule by which the source tells documents from other files. */
  readonly rule: string;
}

export interface SearchPoolOptions {
  /** Lets another process build the index of one of them, where it is large. */
  readonly build?: (
    what: Omit<BuildRequest, "plan">,
    ...rest: Parameters<NonNullable<RootIndexOptions["buildElsewhere"]>>
  ) => Promise<boolean>;
  /** Where indexes are kept, one for each root. */
  readonly folder: string;
  readonly guard: InspectOptions;
  readonly usesMeaning: boolean;
  readonly model: ChosenModel;
  /** Where a model's key may be. */
  readonly env: NodeJS.ProcessEnv;
  readonly weights: RankingWeights;
  /** True in a process that stays: changes are noticed as they happen, and a search does not wait for a long build. */
  readonly stays: boolean;
}

export interface OpenSearchOptions extends SearchPoolOptions {
  readonly roots: readonly SearchedRoot[];
}

interface Closing {
  close(): Promise<void>;
}

/** Changes with every change of how documents are cut, weighed, masked or kept. */
const contents = 6;
/** A client shows an answer that is not complete rather than none. */
const patienceMs = 1000;
const loadAfterMs = 1000;
const tidyAfterMs = 10_000;
/** From so many documents on, a process to index them is worth its start. */
const manyDocuments = 4000;

/** The indexes of several roots, and searches over any of them. */
export interface SearchPool {
  /** Opens the index of a root; `build` instead of the pool's own. */
  open(root: SearchedRoot, build?: SearchPoolOptions["build"]): RootIndex;
  /** Who searches some of them finds what is in those alone, with the weights of their words there. Need not be closed. */
  over(roots: readonly RootIndex[]): Search;
  close(): Promise<void>;
  /** Takes the indexes away that it had open: what they show may not be shown any more. Once it is closed. */
  discard(): void;
}

/** Loaded with the first search: none of this belongs to a start. */
export function openSearchPool(options: SearchPoolOptions): SearchPool {
  const meaning = openMeaning(options);
  const describers = createDescribersLoader(options.guard);
  const version = versionOf(options.guard, meaning);
  const opened = new Set<RootIndex>();
  const names = new Set<string>();
  // Some time after the start, and in no process that is about to end.
  const timers = options.stays
    ? [
        // Before they are needed: another version of this program may take the place of its files meanwhile.
        setTimeout(() => describers().catch(() => undefined), loadAfterMs).unref(),
        setTimeout(() => removeOldIndexes(options.folder, version, Date.now()), tidyAfterMs).unref(),
      ]
    : [];
  return {
    open: (root, build = options.build) => {
      names.add(nameOfIndex(root, version));
      const index = openRoot(root, { ...options, build, meaning, describers, version });
      const closing = { ...index, close: () => (opened.delete(closing) ? index.close() : Promise.resolve()) };
      opened.add(closing);
      return closing;
    },
    over: (roots) =>
      createSearch({
        roots,
        meaning,
        weights: options.weights,
        now: Date.now,
        toDate: createLocalDates(),
        patienceMs: options.stays ? patienceMs : Number.POSITIVE_INFINITY,
      }),
    // At once: a root waits for what is being computed, and the model may take its time.
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      await Promise.all([meaning.close(), ...[...opened].map((root) => root.close())]);
    },
    discard: () => {
      for (const name of names) removeIndex(options.folder, name);
    },
  };
}

/** Search over all of these roots. */
export function openSearch({ roots, ...options }: OpenSearchOptions): Search & Closing {
  const pool = openSearchPool(options);
  return { ...pool.over(roots.map((root) => pool.open(root))), close: pool.close };
}

function openMeaning({ usesMeaning, model, env, folder, stays }: SearchPoolOptions): Meaning {
  if (!usesMeaning) return noMeaning;
  if (isUsable(model)) {
    const cache = openVectorCache({ file: join(folder, "vectors.sqlite") });
    return createModelMeaning({ embedder: openModel(model, env, { loadsForEachQuery: !stays }), cache });
  }
  const table = createTableMeaning(loadStaticTable({ folder: staticTableFolder() }));
  if (model.kind === "none") return table;
  return { ...table, warning: `${model.says} Search goes by its own table instead. To mend it: ${model.remedy}.` };
}

function isUsable(model: ChosenModel): model is UsableModel {
  return model.kind !== "none" && model.kind !== "unusable";
}

/** What an index depends on beside its documents. */
function versionOf(guard: InspectOptions, meaning: Meaning): string {
  const parts = { contents, fieldWeights, guard: keyOf(guard), meaning: meaning.name };
  return hash("sha256", JSON.stringify(parts), "hex").slice(0, 16);
}

/**
 * By all that decides what is in it: two processes that differ in that would undo each other's work for ever, and one
 * would show what the other one alone may.
 */
function nameOfIndex({ source, kind, rule }: SearchedRoot, version: string): string {
  return `${hash("sha256", JSON.stringify([source.identity, kind, rule]), "hex").slice(0, 32)}-${version}`;
}

/** How the file is called that names the index of a root. */
export function indexNames(options: SearchPoolOptions): (root: SearchedRoot) => string {
  const version = versionOf(options.guard, openMeaning(options));
  return (root) => nameOfIndex(root, version);
}

interface RootContext extends Omit<SearchPoolOptions, "build"> {
  readonly build: SearchPoolOptions["build"];
  readonly version: string;
  readonly meaning: Meaning;
  readonly describers: LoadDescribers;
}

type LoadDescribers = () => Promise<(options: DescriberOptions) => Describe>;

/** Made once, for all roots. Where it cannot be loaded, such as without a free descriptor, the next one tries again. */
function createDescribersLoader(guard: InspectOptions): LoadDescribers {
  let made: Awaited<ReturnType<LoadDescribers>> | undefined;
  return async () => {
    made ??= (await import("./describe-document.ts")).createDescribers(guard);
    return made;
  };
}

function openRoot(searched: SearchedRoot, context: RootContext): RootIndex {
  const { source, kind } = searched;
  const { folder, version, stays, meaning, describers } = context;
  const file = join(folder, nameOfIndex(searched, version));
  const markUsed = createIndexUse(file, Date.now);
  const queue = createMeaningQueue(meaning, (paths) => root.update(paths), Date.now);
  /** What a process that is about to end leaves to others. */
  const left = new Set<string>();
  let isRebuilding = false;

  async function loadDescriber(): Promise<Describe> {
    const createDescriber = await describers();
    const describe = createDescriber({
      kind,
      meaning,
      later: (path, texts) => {
        // A process that is about to end leaves a model's work to one that stays.
        if (stays || isRebuilding) queue.add(path, texts);
        else left.add(path);
      },
    });
    return (path, document) => {
      left.delete(path);
      return describe(path, document);
    };
  }

  const root = createRootIndex({
    source,
    kind,
    openIndex: () => openIndexFile({ file, version }),
    openMemoryIndex: () => openMemoryIndex(),
    discardIndex: () => {
      try {
        rmSync(file, { force: true });
      } catch {
        // What cannot be taken away cannot be opened for writing either: one in memory is built then.
      }
    },
    describer: loadDescriber,
    ...(isUsable(context.model) ? {} : elsewhere(searched, context)),
    watches: stays,
    now: Date.now,
  });

  /** Another process may have done some of it since. */
  function stillLeft(): number {
    for (const path of left) if ((root.stampOf(path) ?? 0) > 0) left.delete(path);
    return left.size;
  }

  return {
    ...root,
    freshen: (...asked) => {
      markUsed();
      return root.freshen(...asked);
    },
    rebuild: async (onProgress) => {
      isRebuilding = true;
      try {
        await root.rebuild(onProgress);
        const total = queue.size();
        await queue.idle(() => onProgress?.({ root: source.root, done: total - queue.size(), total }));
      } finally {
        isRebuilding = false;
      }
    },
    warnings: () => [...root.warnings(), ...queueWarnings(queue), ...leftWarnings(stillLeft())],
    close: async () => {
      await queue.close();
      await root.close();
    },
  };
}

/** How large indexes are built in a process of their own. A model has a thread of its own, and takes far longer. */
function elsewhere(root: SearchedRoot, { build, version, ...context }: RootContext) {
  const { folder, guard, usesMeaning, model, weights } = context;
  const what = {
    root: root.source.root,
    index: nameOfIndex(root, version),
    search: { folder, guard, usesMeaning, model, weights },
  };
  return {
    manyDocuments,
    ...(build && { buildElsewhere: build.bind(undefined, what) }),
  };
}

function queueWarnings(queue: MeaningQueue): string[] {
  const [size, reason] = [queue.size(), queue.reason()];
  if (size === 0) return [];
  const why = reason === undefined ? "" : ` ${reason}`;
  return [`${withoutMeaning(size)}.${why}`];
}

function leftWarnings(count: number): string[] {
  return count === 0 ? [] : [`${withoutMeaning(count)}, by a running server or recollect reindex.`];
}

function withoutMeaning(count: number): string {
  const documents = counted(count, "document is", "documents are");
  return `${documents} found by words alone until the model has computed the meaning`;
}
