import { existsSync } from "node:fs";
import { join } from "node:path";
import { agentRoot } from "../agents/agent-root.ts";
import { createDocuments, type Documents } from "../core/documents.ts";
import { isRecollectError } from "../core/errors.ts";
import { fullAccess } from "../core/root-policy.ts";
import type { Stamp } from "../core/store.ts";
import type { Trail } from "../core/trail.ts";
import type { MirrorOptions } from "../history/git/mirror.ts";
import { cleanDocuments } from "../history/purge/clean-documents.ts";
import { findRemotes, type KnownRemote } from "../history/purge/find-remotes.ts";
import { type PurgeForms, toPurgeForms } from "../history/purge/purge-forms.ts";
import { findInDocuments, findInHistory, type PurgedRoot, purgeRoot } from "../history/purge/purge-root.ts";
import type { RefusedValues } from "../history/refused-values.ts";
import { removeDisposable } from "../stores/files/disposable-database.ts";
import { type FilesStore, openFilesStore } from "../stores/files/files-store.ts";
import type { PurgedClone } from "../sync/purge-clone.ts";
import type { Sync } from "../sync/sync.ts";
import type { Topics } from "../topics/topics.ts";
import { cleanAccessStats } from "./access-stats.ts";
import type { AgentPlaces } from "./agent-places.ts";
import { foldersWithHistory, type MirrorBase, mirrorOf } from "./history-roots.ts";
import type { RootPlan } from "./mount-roots.ts";
import { removeSearchIndexes, searchFolder } from "./old-indexes.ts";
import type { MemoryHistory } from "./open-history.ts";
import { filesLeft, findInFiles, type PurgedFolder, removeTemporaryFiles } from "./purge-files.ts";
import { openPurgedSpaces, type PurgedSpaces } from "./purge-spaces.ts";
import { isInside, realOrNone } from "./real-path.ts";
import type { WorkspaceStores } from "./workspace-stores.ts";

/** Where a value was. Names are such as they are without it. */
export interface PurgedPlace {
  readonly root: string;
  readonly path: string;
  /** Whether the document holds it now. */
  readonly isCurrent: boolean;
  /** In how many revisions of history. */
  readonly revisions: number;
}

export interface PurgeReport {
  /** Names the value from now on, which nobody can write any more; undefined where that is not so. */
  readonly fingerprint: string | undefined;
  readonly places: readonly PurgedPlace[];
  /** Further files that held it: of a write that was cut off, a draft, a revision that waits for history. */
  readonly files: readonly string[];
  /** Journals that had to be written anew. */
  readonly journals: number;
  /** What could not be cleaned, as sentences. */
  readonly left: readonly string[];
  /** Repositories of others that have files of a folder, and may hold it still. */
  readonly remotes: readonly (KnownRemote & { readonly root: string })[];
  /** The tops of repositories of somebody's own that a folder lies in, whose history may hold it still. */
  readonly tracked: readonly { readonly root: string; readonly folder: string }[];
  /** What the clone that is kept of a remote held. */
  readonly clone: PurgedClone | undefined;
}

export interface PurgeRequest {
  readonly value: string;
  /** True only looks. */
  readonly dryRun?: boolean;
  /** Whether nobody may write it from now on even where it was found nowhere; a misspelt value would stay refused. */
  readonly refuse?: boolean | undefined;
}

export interface PurgeWorkspaceOptions {
  readonly stores: Pick<WorkspaceStores, "files" | "recover" | "database">;
  /** Where the files of all agents lie, also of those that were started without the setting. */
  readonly agents: AgentPlaces;
  readonly plan: RootPlan;
  readonly documents: Documents;
  readonly history: () => Promise<MemoryHistory>;
  readonly topics: Topics | undefined;
  /** Where the topics lie in a repository. */
  readonly sync: (() => Promise<Pick<Sync, "purge">>) | undefined;
  readonly stamp: Stamp;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly dataFolder: string;
  readonly project: MirrorBase["project"];
  readonly refused: Pick<RefusedValues, "prepare">;
  readonly now: () => number;
}

/** What is cleaned: roots in folders, and spaces of the database. */
interface Targets {
  readonly folders: readonly Target[];
  readonly spaces: PurgedSpaces;
  /** What they are on disk. */
  readonly files: readonly PurgedFolder[];
  /** Ends what killed processes began, for agents too: staged files hold what was to be written. */
  recover(): Promise<void>;
}

interface Target {
  readonly trail: Trail;
  readonly documents: Documents;
  readonly mirror?: MirrorOptions;
}

/** While others write, it may come back: then all of it is done once more. */
const mostRounds = 3;

/** Removes a leaked value from documents, archives, indexes, journals and history of all roots (HIST-5). */
export async function purgeWorkspace(options: PurgeWorkspaceOptions, request: PurgeRequest): Promise<PurgeReport> {
  const { stores, plan, documents, agents } = options;
  const ofAgents = agents.folders.filter((folder) => existsSync(folder)).map(openAgents);
  try {
    const own = foldersWithHistory(plan).map((folder) => ({
      trail: stores.files.trail(folder.name),
      documents,
      mirror: mirrorOf(folder, options),
    }));
    const spaces = await openPurgedSpaces({ plan, agents: agents.spaces, database: stores.database });
    const targets: Targets = {
      folders: [...own, ...ofAgents],
      spaces,
      files: filesOf(options),
      recover: async () => {
        await stores.recover();
        for (const { store } of ofAgents) await store.recover();
      },
    };
    return await purgeTargets(targets, options, request);
  } finally {
    for (const { store } of ofAgents) await store.close();
  }
}

/** Agents keep documents without history, each in a folder of its own. */
function openAgents(folder: string): Target & { readonly store: FilesStore } {
  const store = openFilesStore({ roots: [{ name: agentRoot, folder, create: false }], now: Date.now });
  const documents = createDocuments({ roots: [{ name: agentRoot, policy: fullAccess, store }] });
  return { trail: store.trail(agentRoot), documents, store };
}

/** By their real paths, so that a folder in another one is looked through once. */
function filesOf({ plan, agents, dataFolder }: PurgeWorkspaceOptions): PurgedFolder[] {
  const own = foldersWithHistory(plan).map(({ name, folder }): PurgedFolder => {
    const isClone = isInside(join(dataFolder, "repositories"), folder);
    return { shown: name, folder: realOrNone(folder) ?? folder, files: isClone ? "all" : "kept" };
  });
  // In the project itself lie drafts alone, of tools that write its files.
  const plain = plan.folders
    .filter((one) => one.plain && !one.readOnly)
    .map(({ name, folder }): PurgedFolder => ({ shown: name, folder: realOrNone(folder) ?? folder, files: "drafts" }));
  const ofAgents = agents.folders.map((folder): PurgedFolder => ({ shown: agentRoot, folder, files: "all" }));
  return [...own, ...plain, ...ofAgents];
}

async function purgeTargets(
  targets: Targets,
  options: PurgeWorkspaceOptions,
  { value, dryRun = false, refuse = false }: PurgeRequest,
): Promise<PurgeReport> {
  const { all } = toPurgeForms(value, "");
  const shared = await lookAtRepositories(options);
  const before = await look(targets, options.env, toPurgeForms(value, "removed"));
  const readOnly = [
    ...readOnlyPlaces(options, value),
    ...(await targets.spaces.readOnlyPlaces(toPurgeForms(value, "removed"))),
  ];
  const held = await purgeClone(options, toPurgeForms(value, "removed"), true);
  const named = new Set(before.map(({ root, path }) => `${root}/${path}`));
  const files = findInFiles(targets.files, toPurgeForms(value, "removed")).filter((file) => !named.has(file));
  if (dryRun) {
    const { clone, left } = held;
    const seen = { places: before, files, journals: 0, clone, left: [...left, ...readOnly] };
    return { ...shared, fingerprint: undefined, ...seen };
  }
  const known = await options.refused.prepare(all, options.now());
  const { fingerprint } = known;
  const isSeen = before.length > 0 || files.length > 0 || readOnly.length > 0 || held.clone !== undefined;
  // First of all: from here on nobody writes it again.
  if (isSeen || refuse) await known.register();
  const forms = toPurgeForms(value, `removed-${fingerprint.slice(0, 8)}`);
  const removed = new Set(files);
  const revisions = new Map<string, Map<string, number>>();
  let left: string[] = [];
  let journals = 0;
  for (let round = 0; round < mostRounds; round += 1) {
    left = await purgeOnce(targets, options, { forms, fingerprint }, (root, purged) => {
      revisions.set(root, new Map([...(revisions.get(root) ?? []), ...purged.revisions]));
      journals += purged.journals;
    });
    for (const file of removeTemporaryFiles(targets.files, forms)) removed.add(file);
    if (await isClean(targets, forms)) break;
  }
  const places = joinPlaces(before, revisions, forms);
  const { clone = held.clone, left: unclean } = await purgeClone(options, forms, false);
  // What waited in journals alone is found while they are cleaned.
  const isFound = places.length > 0 || journals > 0 || clone !== undefined || removed.size > 0;
  if (isFound && !isSeen) await known.register();
  const isRefused = isSeen || isFound || refuse || known.isRegistered;
  // The last word is that of the disk: nothing is promised that was not looked for once all is done.
  await targets.recover();
  const still = [
    ...(await documentsLeft(targets, forms)),
    ...filesLeft([...targets.files, ...cachesOf(options)], forms),
  ];
  return {
    ...shared,
    fingerprint: isRefused ? fingerprint : undefined,
    places,
    files: [...removed],
    journals,
    clone,
    left: [...new Set([...left, ...unclean, ...readOnly, ...still])],
  };
}

async function isClean(targets: Targets, forms: PurgeForms): Promise<boolean> {
  if ((await documentsLeft(targets, forms)).length > 0) return false;
  return findInFiles(targets.files, forms).length === 0;
}

async function documentsLeft({ folders, spaces }: Targets, forms: PurgeForms): Promise<string[]> {
  const inFolders = folders.flatMap(({ trail }) =>
    findInDocuments(trail, forms).map(({ path }) => ({ root: trail.root, path: forms.cleanPath(path) })),
  );
  const found = [...inFolders, ...(await spaces.look(forms))];
  return found.map(({ root, path }) => `“${root}/${path}” still holds it. Purge it again.`);
}

/** What is made anew from documents, and what a user's data folder keeps of them. */
function cachesOf({ env, home, dataFolder }: PurgeWorkspaceOptions): PurgedFolder[] {
  const search = searchFolder({ env, home });
  return [
    { shown: search, folder: search, files: "all" },
    { shown: dataFolder, folder: dataFolder, files: "files" },
  ];
}

async function purgeOnce(
  { folders, spaces, recover }: Targets,
  options: PurgeWorkspaceOptions,
  { forms, fingerprint }: { readonly forms: PurgeForms; readonly fingerprint: string },
  told: (root: string, purged: Pick<PurgedRoot, "revisions" | "journals">) => void,
): Promise<string[]> {
  const left: string[] = [];
  const { author } = options.stamp;
  const stamp = { ...options.stamp, reason: `purge of a leaked value (${fingerprint})` };
  await recover();
  for (const { trail, documents } of folders) {
    const { left: refused } = await cleanDocuments(trail, documents, forms, stamp);
    left.push(...refused.map(({ path, why }) => `“${path}” in “${trail.root}” could not be cleaned: ${why}`));
  }
  for (const { root, revisions } of await spaces.purge(forms, stamp)) told(root, { revisions, journals: 1 });
  await reindexed(options.topics, left);
  // What was superseded just now goes into history like anything else, and is cleaned there.
  if (folders.some(({ trail }) => trail.existingPlace() !== undefined)) {
    await (await options.history()).catchUp({ waitMs: 60_000 });
  }
  for (const { trail, mirror } of folders) {
    const time = new Date(options.now()).toISOString();
    const purged = await purgeRoot({ trail, env: options.env, forms, stamp: { author, time, fingerprint }, mirror });
    told(trail.root, purged);
    left.push(...purged.left.map((what) => `“${trail.root}”: ${what}`));
  }
  removeCaches(options, forms);
  return left;
}

/** The documents are clean by then: they are what the clone's revisions become. */
async function purgeClone({ sync }: PurgeWorkspaceOptions, forms: PurgeForms, dryRun: boolean) {
  try {
    const clone = await (await sync?.())?.purge({ holds: forms.isIn, dryRun });
    return { clone, left: [] };
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    return { clone: undefined, left: [`The clone of the remote could not be looked through. ${error.message}`] };
  }
}

/** Derived: made anew when it is needed. */
function removeCaches({ env, home, dataFolder }: PurgeWorkspaceOptions, forms: PurgeForms): void {
  removeSearchIndexes({ env, home });
  removeDisposable(join(searchFolder({ env, home }), "vectors.sqlite"));
  cleanAccessStats(dataFolder, (path) => forms.cleanPath(path) !== path);
}

async function reindexed(topics: Topics | undefined, left: string[]): Promise<void> {
  try {
    await topics?.reindex();
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    left.push(`The index of topics was not made anew. ${error.message}`);
  }
}

async function look(targets: Targets, env: NodeJS.ProcessEnv, forms: PurgeForms): Promise<PurgedPlace[]> {
  const places = [...(await targets.spaces.look(forms))];
  for (const { trail, mirror } of targets.folders) {
    const current = new Set(findInDocuments(trail, forms).map(({ path }) => forms.cleanPath(path)));
    const revisions = await findInHistory(trail, env, forms, mirror);
    for (const path of new Set([...current, ...revisions.keys()])) {
      places.push({ root: trail.root, path, isCurrent: current.has(path), revisions: revisions.get(path) ?? 0 });
    }
  }
  return places;
}

/** What was found before, with what came into history in between. */
function joinPlaces(
  before: readonly PurgedPlace[],
  revisions: ReadonlyMap<string, ReadonlyMap<string, number>>,
  forms: PurgeForms,
): PurgedPlace[] {
  const places = new Map(before.map((place) => [`${place.root}\0${forms.cleanPath(place.path)}`, place]));
  for (const [root, found] of revisions) {
    for (const [given, count] of found) {
      const path = forms.cleanPath(given);
      const known = places.get(`${root}\0${path}`) ?? { root, path, isCurrent: false, revisions: 0 };
      places.set(`${root}\0${path}`, { ...known, path, revisions: Math.max(known.revisions, count) });
    }
  }
  return [...places.values()];
}

/** Folders that are only read here: whoever may write there has to purge it. */
function readOnlyPlaces({ stores, plan }: PurgeWorkspaceOptions, value: string): string[] {
  const forms = toPurgeForms(value, "removed");
  const readOnly = plan.folders.filter((folder) => folder.readOnly && !folder.plain);
  return readOnly.flatMap(({ name }) =>
    findInDocuments(stores.files.trail(name), forms).map(
      ({ path }) => `“${forms.cleanPath(path)}” in “${name}” holds it, and is read-only here.`,
    ),
  );
}

/** Not at clones of ours: those are cleaned. */
async function lookAtRepositories({ plan, env, dataFolder }: PurgeWorkspaceOptions) {
  const remotes: (KnownRemote & { root: string })[] = [];
  const tracked: { root: string; folder: string }[] = [];
  for (const { name, folder } of foldersWithHistory(plan)) {
    if (isInside(join(dataFolder, "repositories"), folder)) continue;
    const found = await findRemotes(folder, env);
    if (found.isTracked) tracked.push({ root: name, folder: found.top ?? folder });
    remotes.push(...found.remotes.map((remote) => ({ ...remote, root: name })));
  }
  return { remotes, tracked };
}
