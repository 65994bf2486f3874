import { createWorkspaceHistory } from "../history/service/workspace-history.ts";
import { openSessionRecords } from "../history/sessions/session-records.ts";
import { fullAccess } from "../kernel/root-policy.ts";
import type { Outcome, Stamp } from "../kernel/store.ts";
import { createTtlCache } from "../kernel/ttl-cache.ts";
import { createRegexRunner } from "../notes/memories/regex-threads.ts";
import { indexPath } from "../notes/topics/topic-paths.ts";
import { openKnownAgentPlaces } from "../roots/known-agent-places.ts";
import { rootPlaceOf } from "../roots/root-place.ts";
import { chooseModel } from "../search/service/choose-model.ts";
import { searchFolder } from "../search/service/old-indexes.ts";
import { openRecallLedger } from "../search/service/recall-ledger.ts";
import { createWorkspaceSearch } from "../search/service/workspace-search.ts";
import { createProjectCommits, keepMsOf } from "../sync/service/project-commits.ts";
import { createWorkspaceSync } from "../sync/service/workspace-sync.ts";
import { createAgentMemories } from "./agent-memories.ts";
import { createLiveChanges } from "./live-changes.ts";
import { ownBearer, ownPerson } from "./own-bearer.ts";
import { createSession, noTopics, type Session, type SessionParts } from "./session.ts";
import type { ChangeListener, Workspace, WorkspaceOptions } from "./workspace.ts";
import type { WorkspaceBase } from "./workspace-base.ts";
import { createWorkspaceCare } from "./workspace-care.ts";
import { createWorkspaceTopics } from "./workspace-topics.ts";
import { openWrittenHere } from "./written-here.ts";

/** A workspace whose parts know each other. */
export interface WiredWorkspace {
  readonly workspace: Workspace;
  /** What is to be done before it is used. */
  begin(): Promise<void>;
}

const healthMs = 1000;
/** Names what a sync brings. */
const outside = "outside";

/** Search, history, sync and sessions over what is open. Whoever closes the workspace closes that too. */
export function wireWorkspace(base: WorkspaceBase, options: WorkspaceOptions): WiredWorkspace {
  const { env, home, project, settings, dataFolder, topicsFolder, plan, log, backends, limits, guard } = base;
  const { values } = settings;
  const { tokens, allowList, refused } = base.records;
  const { stays = false } = options;
  const agentPlace = values["agent.app_cache_dir"];
  const bearer = ownBearer(options, values["agent.id"]);
  // Git finds the settings of the user there.
  const gitEnv = { HOME: home, ...env };
  const closing = new AbortController();
  const model = () => chooseModel(values, dataFolder);
  const recalled = openRecallLedger({
    folder: dataFolder,
    placeOf: (root) => rootPlaceOf(root, plan, agentPlace),
  });
  const searching = createWorkspaceSearch({
    ledger: recalled,
    backends,
    setup: base.setup,
    plan,
    agentId: bearer.agentId,
    folder: searchFolder({ env, home }),
    guard: {
      policy: values["guard.policy"],
      allowed: base.allowed,
      allowedStamp: allowList.stamp,
      purged: refused,
    },
    usesMeaning: values["search.meaning"],
    model,
    env,
    weights: {
      recency: values["search.recency_weight"],
      recencyHalfLifeDays: values["search.recency_half_life_days"],
      context: values["search.context_weight"],
    },
    stays,
    topicsWarning,
  });
  const historySettings = { settings, plan, project: project?.folder };
  const commitToProject = createProjectCommits({
    ...historySettings,
    trailOf: backends.trail,
    documents: () => own.documents,
    env: gitEnv,
  });
  const recording = createWorkspaceHistory({
    keepMs: keepMsOf(historySettings),
    commitToProject,
    isBusy: searching.isBuilding,
    isAsked: searching.isAsked,
    backendOf: backends.of,
    plan,
    history: () => own.history,
    log,
    stays,
  });
  const writtenHere = openWrittenHere({
    dataFolder,
    outside,
    isExempt: ({ root, path }) =>
      !plan.folders.some(({ name }) => name === root) || (root === plan.topics && path === indexPath),
  });
  const listeners = new Set<ChangeListener>([writtenHere.committed]);
  const onChanged = (listener: ChangeListener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const live = createLiveChanges({ backends, onChanged, log, now: Date.now });
  const tellListeners: ChangeListener = (outcomes, stamp) => {
    for (const tell of listeners) {
      try {
        tell(outcomes, stamp);
      } catch (error) {
        // The change is done, whatever becomes of this: whoever made it must not take it for failed.
        log("error", "listener", { message: String(error) });
      }
    }
  };
  const committed = async (outcomes: readonly Outcome[], stamp: Stamp) => {
    const indexed = searching.committed(outcomes);
    recording.committed(new Set(outcomes.map(({ at }) => at.root)));
    tellListeners(outcomes, stamp);
    await indexed;
  };
  const syncing = createWorkspaceSync({
    backends,
    plan,
    topics: topicsFolder.found,
    strategy: values["memory_configuration.sync_strategy"],
    intervalMs: values["memory_configuration.sync_interval_minutes"] * 60_000,
    mustBeReached: values["memory_configuration.on_external_failure"] === "fail",
    guard,
    purged: refused,
    committed: (outcomes) => committed(outcomes, { author: outside }),
    record: async () => own.history.catchUp({ waitMs: 60_000 }),
    env: gitEnv,
    log,
    stays,
    onProgress: options.onProgress,
  });
  const sync = topicsFolder.found?.git ? syncing.sync : undefined;
  const inTopics = createWorkspaceTopics(base);
  const regex = createRegexRunner();
  const agents = createAgentMemories({
    backends,
    given: agentPlace.given,
    shared: { log, limits, guard },
    committed: tellListeners,
    sealed: (folder) => openKnownAgentPlaces(dataFolder, log).add(folder),
  });
  const parts: SessionParts = {
    plan,
    storeOf: (root) => backends.of(root).documents,
    limits,
    guard,
    regex,
    log,
    searching,
    recording,
    openTopics: inTopics.open,
    assertTopics: syncing.assertReached,
    sync,
    topicsWarning,
    topicsError: () => topicsFolder.error ?? plan.topicsError ?? noTopics(),
    agentMemory: agents.memory,
    committed: (outcomes, stamp) => {
      const followed = committed(outcomes, stamp);
      syncing.committed?.(outcomes);
      return followed;
    },
  };
  const own: Session = createSession(parts, bearer);
  const { documents, stamp } = own;
  const topics = plan.topics === undefined ? undefined : inTopics.open({ documents, root: plan.topics, stamp });
  // Whoever asks, and how often, asks a backend no more often than this.
  const health = createTtlCache({ load: async () => backends.health(), mostMs: healthMs });
  const workspace: Workspace = {
    ...own,
    ...createWorkspaceCare(base, { options, own, topics, searching, sync, model, closing: closing.signal }),
    project,
    settings,
    dataFolder,
    person: ownPerson(options),
    session: (other) => createSession(parts, other),
    onChanged,
    live,
    authorHere: async (at, rev) =>
      backends.of(at.root).folder ? writtenHere.authorOf(rev) : backends.of(at.root).documents.authorOf(at, rev),
    recalled,
    sessionRecords: openSessionRecords(
      project?.folder ?? base.cwd,
      { env, home, platform: process.platform },
      Date.now,
    ),
    agents: {
      list: backends.listAgents,
      files: (agentId, page) => agents.memory(fullAccess).listMemoryFiles(agentId, page),
      read: (agentId, path) => agents.memory(fullAccess).readMemoryFileWithRev(agentId, path),
      write: (agentId, path, content, expected) =>
        agents.memory(fullAccess).writeMemoryFile(agentId, path, content, expected),
      append: (agentId, path, content, expected) =>
        agents.memory(fullAccess).appendToMemoryFile(agentId, path, content, expected),
    },
    databaseHealth: health.get,
    commitToProject,
    sync: syncing.sync,
    purgedValues: refused,
    tokens,
    allowList,
    model,
    fallbackEntries: inTopics.fallbackEntries(own),
    get topicsWarning() {
      return topicsWarning();
    },
    get warnings() {
      return [...base.warnings, ...syncing.warnings()];
    },
    get historyNotices() {
      return recording.notices();
    },
    log,
    close: async () => {
      closing.abort();
      inTopics.close();
      await live.close();
      try {
        await syncing.close();
        await recording.close();
      } finally {
        // After what cannot be made anew: a client may not wait for all of it.
        await searching.close();
        recalled.close();
      }
      await Promise.all([regex.close(), backends.close(), agents.close()]);
    },
  };
  return { workspace, begin: syncing.begin };

  function topicsWarning(): string | undefined {
    return [...topicsFolder.warnings, ...syncing.warnings()][0];
  }
}
