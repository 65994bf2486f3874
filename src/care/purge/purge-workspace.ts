import { join } from "node:path";
import { removeDisposable } from "../../backends/files/disposable-database.ts";
import { findRemotes, type KnownRemote } from "../../history/git/find-remotes.ts";
import { openMirror } from "../../history/git/mirror.ts";
import { findInMirrors } from "../../history/git/purge/find-in-history.ts";
import { purgeMirror } from "../../history/git/purge/purge-mirror.ts";
import type { MemoryHistory } from "../../history/service/view-history.ts";
import type { ValueSighting } from "../../kernel/backend.ts";
import type { Documents } from "../../kernel/documents.ts";
import { isRecollectError } from "../../kernel/errors.ts";
import { type PurgeForms, toPurgeForms } from "../../kernel/purge-forms.ts";
import type { RefusedValues } from "../../kernel/refused-values.ts";
import type { Stamp } from "../../kernel/store.ts";
import type { Topics } from "../../notes/topics/topics.ts";
import { foldersWithHistory, type MirrorBase } from "../../roots/history-roots.ts";
import type { RootPlan } from "../../roots/mount-roots.ts";
import type { Backends } from "../../roots/open-backends.ts";
import type { RootPlace } from "../../roots/root-place.ts";
import { cleanAccessStats } from "../../search/service/access-stats.ts";
import { removeSearchIndexes, searchFolder } from "../../search/service/old-indexes.ts";
import { isInside, realOrNone } from "../../settings/real-path.ts";
import { sessionLogsFolder, sessionRecordsFolder } from "../../settings/user-folders.ts";
import type { PurgedClone } from "../../sync/purge-clone.ts";
import type { Sync } from "../../sync/sync.ts";
import { filesLeft, findInFiles, type PurgedFolder, removeHeldFiles, removeTemporaryFiles } from "./purge-files.ts";
import { openPurgeTargets, type PurgeTargets } from "./purge-targets.ts";

/** Where a value was. Names are such as they are without it. */
export interface PurgedPlace extends ValueSighting {
  readonly root: string;
}

export interface PurgeReport {
  /** Whether it was anywhere, or may be where nothing could look. */
  readonly isFound: boolean;
  /** Names the value from now on, which nobody can write any more; undefined where that is not so. */
  readonly fingerprint: string | undefined;
  readonly places: readonly PurgedPlace[];
  /** Further files that held it: of a write that was cut off, a draft, a copy of history. */
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
  readonly backends: Pick<Backends, "of" | "at" | "recover">;
  /** Where the files of agents lie, as far as that is known without a look at the roots. */
  readonly agents: readonly RootPlace[];
  readonly plan: RootPlan;
  readonly documents: Documents;
  readonly history: MemoryHistory;
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

/** What a purge found, before it changes anything or while it does. */
type Findings = Pick<PurgeReport, "places" | "files" | "journals" | "left" | "clone">;

/** While others write, it may come back: then all of it is done once more. */
const mostRounds = 3;
/** In the user's data folder, what belongs to other projects, and models, which nothing is written into. */
const notSearched: ReadonlySet<string> = new Set(["repositories", "mirrors", "workspace", "models"]);

/** Removes a leaked value from documents, archives, indexes, journals and history of all roots (HIST-5). */
export async function purgeWorkspace(options: PurgeWorkspaceOptions, request: PurgeRequest): Promise<PurgeReport> {
  const targets = await openPurgeTargets(options);
  try {
    return await purgeTargets(targets, options, request);
  } finally {
    await targets.close();
  }
}

async function purgeTargets(
  targets: PurgeTargets,
  options: PurgeWorkspaceOptions,
  { value, dryRun = false, refuse = false }: PurgeRequest,
): Promise<PurgeReport> {
  const shared = await lookAtRepositories(options);
  const { readOnly, ...seen } = await look(targets, options, toPurgeForms(value, "removed"));
  const before = { ...seen, left: [...seen.left, ...readOnly] };
  if (dryRun) return { ...shared, ...before, isFound: isFound(before), fingerprint: undefined };
  const known = await options.refused.prepare(toPurgeForms(value, "").all, options.now());
  const isRefused = known.isRegistered || refuse || isFound(before);
  // First of all: from here on every write of it is refused.
  if (isRefused) await known.register();
  const { fingerprint } = known;
  const forms = toPurgeForms(value, `removed-${fingerprint.slice(0, 8)}`);
  const cleaned = await cleanAll(targets, options, { forms, fingerprint });
  const after: Findings = {
    places: joinPlaces(before.places, cleaned.places),
    files: [...new Set([...before.files, ...cleaned.files])],
    journals: cleaned.journals,
    clone: cleaned.clone ?? before.clone,
    left: [...new Set([...cleaned.left, ...readOnly])],
  };
  // What waited in journals alone is found while they are cleaned.
  if (isFound(after) && !isRefused) await known.register();
  return {
    ...shared,
    ...after,
    isFound: isFound(after),
    fingerprint: isRefused || isFound(after) ? fingerprint : undefined,
  };
}

function isFound({ places, files, journals, left, clone }: Findings): boolean {
  return places.length > 0 || files.length > 0 || journals > 0 || left.length > 0 || clone !== undefined;
}

/** Where it is and was. Changes nothing. */
async function look(
  targets: PurgeTargets,
  options: PurgeWorkspaceOptions,
  forms: PurgeForms,
): Promise<Findings & { readonly readOnly: readonly string[] }> {
  const inMirrors = await findInMirrors(targets.mirrors, options.env, forms);
  const found: PurgedPlace[] = [];
  const repositories = [...inMirrors.repositories];
  for (const { root, care } of targets.roots) {
    const { documents, elsewhere } = await care.find(forms);
    found.push(...documents.map((one) => ({ root, ...one })));
    repositories.push(...elsewhere);
  }
  const places = joinPlaces(
    found,
    inMirrors.documents.map((one) => ({ ...one, isCurrent: false })),
  );
  const named = namesOf(places);
  const files = findInFiles([...targets.files, ...hookFolders(options)], forms).filter((file) => !named.has(file));
  const { clone, left } = await purgeClone(options, forms, true);
  // A user who may write there has to purge it.
  const held = await holding(targets.readOnly, forms);
  const readOnly = held.map(({ root, path }) => `“${path}” in “${root}” holds it, and is read-only here.`);
  return { places, files: [...repositories, ...files], journals: 0, clone, left, readOnly };
}

/** Until a look finds nothing more. The last word is that of the disk: only what was looked for is promised. */
async function cleanAll(targets: PurgeTargets, options: PurgeWorkspaceOptions, purged: Purged): Promise<Findings> {
  const { forms } = purged;
  const files: string[] = [];
  const rounds: Awaited<ReturnType<typeof purgeOnce>>[] = [];
  while (rounds.length < mostRounds) {
    rounds.push(await purgeOnce(targets, options, purged));
    files.push(...removeTemporaryFiles(targets.files, forms), ...removeHeldFiles(hookFolders(options), forms));
    const isClean = (await documentsLeft(targets, forms)).size === 0 && findInFiles(targets.files, forms).length === 0;
    if (isClean) break;
  }
  const { clone, left: unclean } = await purgeClone(options, forms, false);
  await targets.recover();
  const documents = await documentsLeft(targets, forms);
  return {
    places: rounds.flatMap(({ places }) => places),
    files,
    journals: rounds.reduce((sum, { journals }) => sum + journals, 0),
    clone,
    left: [
      ...(rounds.at(-1)?.left ?? []),
      ...unclean,
      ...[...documents].map((name) => `“${name}” still holds it. Purge it again.`),
      ...filesLeft([...targets.files, ...cachesOf(options)], forms, documents),
    ],
  };
}

async function documentsLeft({ roots }: PurgeTargets, forms: PurgeForms): Promise<Set<string>> {
  return namesOf(await holding(roots, forms));
}

async function holding(
  roots: PurgeTargets["readOnly"],
  forms: PurgeForms,
): Promise<{ readonly root: string; readonly path: string }[]> {
  const found: { root: string; path: string }[] = [];
  for (const { root, care } of roots) found.push(...(await care.holding(forms)).map((path) => ({ root, path })));
  return found;
}

function namesOf(places: readonly { readonly root: string; readonly path: string }[]): Set<string> {
  return new Set(places.map(({ root, path }) => `${root}/${path}`));
}

/** What is made anew from documents, and what a user's data folder keeps of them. */
function cachesOf({ env, home, dataFolder }: PurgeWorkspaceOptions): PurgedFolder[] {
  const search = searchFolder({ env, home });
  return [
    { shown: search, folder: search, files: "all" },
    ...hookFolders({ env, home }),
    { shown: dataFolder, folder: realOrNone(dataFolder) ?? dataFolder, files: "all", without: notSearched },
  ];
}

/** What hooks keep of sessions: prompts and answers, and what was recalled in them. */
function hookFolders({ env, home }: Pick<PurgeWorkspaceOptions, "env" | "home">): PurgedFolder[] {
  return [sessionRecordsFolder({ env, home }), sessionLogsFolder({ env, home })].map((folder) => ({
    shown: folder,
    folder,
    files: "all",
  }));
}

interface Purged {
  readonly forms: PurgeForms;
  readonly fingerprint: string;
}

async function purgeOnce(
  { roots, former, recover }: PurgeTargets,
  options: PurgeWorkspaceOptions,
  { forms, fingerprint }: Purged,
): Promise<Pick<Findings, "places" | "journals" | "left">> {
  const { env, now } = options;
  const left: string[] = [];
  const places: PurgedPlace[] = [];
  let journals = 0;
  const stamp = { ...options.stamp, reason: `purge of a leaked value (${fingerprint})` };
  const record = () => options.history.catchUp({ waitMs: 60_000 });
  await recover();
  for (const { root, care, documents } of roots) {
    const purged = await care.purge({ forms, stamp, fingerprint, now, documents, record });
    for (const [path, revisions] of purged.revisions)
      places.push({ root, path: forms.cleanPath(path), isCurrent: false, revisions });
    journals += purged.journals;
    left.push(...purged.left);
  }
  await reindexed(options.topics, left);
  const mark = { author: options.stamp.author, time: new Date(now()).toISOString(), fingerprint };
  for (const mirror of former) {
    const unclean = await purgeMirror(openMirror(mirror, { env }), undefined, { forms, stamp: mark });
    left.push(...unclean.map((what) => `“${mirror.folder}”: ${what}`));
  }
  removeCaches(options, forms);
  return { places, journals, left };
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

/** Each place once, with all that was found of it. */
function joinPlaces(before: readonly PurgedPlace[], more: readonly PurgedPlace[]): PurgedPlace[] {
  const places = new Map<string, PurgedPlace>();
  for (const place of [...before, ...more]) {
    const key = `${place.root}\0${place.path}`;
    const known = places.get(key) ?? place;
    const isCurrent = known.isCurrent || place.isCurrent;
    places.set(key, { ...place, isCurrent, revisions: Math.max(known.revisions, place.revisions) });
  }
  return [...places.values()];
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
