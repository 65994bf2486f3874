import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { agentRoot } from "../agents/agent-root.ts";
import { createDocuments } from "../core/documents.ts";
import { isRecollectError, type RecollectError } from "../core/errors.ts";
import { type Log, type LogLevel, noLog } from "../core/log.ts";
import type { Outcome, RecoveryReport, Stamp } from "../core/store.ts";
import { openFilesStore } from "../stores/files/files-store.ts";
import type { DatabaseHealth } from "../stores/postgres/database.ts";
import type { TopicContext } from "../topics/change-topic.ts";
import { createTopics, type Topics } from "../topics/topics.ts";
import { openAccessStats } from "./access-stats.ts";
import { createAgentMemories } from "./agent-memories.ts";
import type { AllowList } from "./allow-list.ts";
import { type ChosenModel, chooseModel, type TriedModel } from "./choose-model.ts";
import { createContentGuard } from "./content-guard.ts";
import type { Finding } from "./diagnose.ts";
import { diagnoseElsewhere } from "./diagnose-elsewhere.ts";
import { createFallbackEntries, type FallbackEntries, recordFallback } from "./fallback-entries.ts";
import { type FallbackRecords, openFallbackRecords } from "./fallback-records.ts";
import type { Project } from "./find-project.ts";
import { createFreshCopy } from "./fresh-copy.ts";
import { listAgents } from "./list-agents.ts";
import { createLiveChanges, type LiveChanges } from "./live-changes.ts";
import { localDate } from "./local-date.ts";
import { planRoots, type RootPlan } from "./mount-roots.ts";
import { searchFolder } from "./old-indexes.ts";
import { type CommitToProject, createProjectCommits, keepMsOf } from "./project-commits.ts";
import type { PurgeReport, PurgeRequest } from "./purge-workspace.ts";
import { isInside, realPathOf } from "./real-path.ts";
import { openRecallLedger, type RecallLedger } from "./recall-ledger.ts";
import type { RefusedValues } from "./refused-values.ts";
import { createRegexRunner } from "./regex-runner.ts";
import type { ResolvedSettings } from "./resolve-settings.ts";
import { type Bearer, createSession, noTopics, type Session, type SessionParts } from "./session.ts";
import type { SettingFlags } from "./setting-texts.ts";
import { type ConfiguredPlace, spacePlace } from "./setting-types.ts";
import type { SettingValues } from "./settings.ts";
import { settleProject } from "./settle-project.ts";
import { openSharedRecords } from "./shared-records.ts";
import { createStderrLog } from "./stderr-log.ts";
import { tidyMerged } from "./tidy-merged-topics.ts";
import type { Tokens } from "./tokens.ts";
import { ownTopicsFolder, resolveTopicsFolder, type TopicsFolder } from "./topics-folder.ts";
import { untrustedNotices } from "./untrusted-notices.ts";
import { userDataFolder } from "./user-folders.ts";
import type { Verification, VerifyRequest } from "./verify-workspace.ts";
import { createWorkspaceHistory } from "./workspace-history.ts";
import { createWorkspaceSearch } from "./workspace-search.ts";
import { openWorkspaceStores } from "./workspace-stores.ts";
import { createWorkspaceSync, type MemorySync } from "./workspace-sync.ts";

export interface WorkspaceOptions {
  /** Where to look for a project; by default the working directory. */
  readonly cwd?: string;
  /** The project's folder, instead of looking for one. */
  readonly project?: string;
  readonly flags?: SettingFlags;
  readonly env?: NodeJS.ProcessEnv;
  readonly home?: string;
  /** Without one, to stderr where the settings ask for it. */
  readonly log?: Log;
  /** From which level on, where no setting says so; without it there is no log then. */
  readonly logLevel?: LogLevel;
  /** Who works here, as history will name it; by default the agent configured, or the user. */
  readonly author?: string;
  /** What this run is called in history, so that all that it did can be undone. */
  readonly run?: string;
  /** How long to wait for another process that holds a folder, before BUSY. */
  readonly lockTimeoutMs?: number;
  /** True for a process that stays, such as a server: it watches folders instead of looking through them for each search. */
  readonly stays?: boolean;
  /** Told how far it is where a memory is fetched from its remote for the first time. */
  readonly onProgress?: (text: string) => void;
}

/** What one configuration opens; what the command line, MCP and other programs work on. */
export interface Workspace extends Session {
  readonly project: Project | undefined;
  readonly settings: ResolvedSettings;
  /** Where the user's own records lie, such as tokens: not the project's. */
  readonly dataFolder: string;
  /** The same workspace for another one: under their name, and with no more than they may. Cheap; keep it for each. */
  session(bearer: Bearer): Session;
  /** Tells of everything that is written through this workspace, until the function that it returns is called. */
  onChanged(listener: ChangeListener): () => void;
  /** What anybody changes, also by hand and in other processes, for those who listen. */
  readonly live: Pick<LiveChanges, "listen">;
  /** Which documents search and recall handed out. */
  readonly recalled: Pick<RecallLedger, "list">;
  /** What lies in the project's own folder of topics; undefined unless an external memory is in use. */
  readonly fallbackEntries: FallbackEntries | undefined;
  /** Commits memory to the project's own repository; undefined unless history.commit_to_project asks for it. */
  readonly commitToProject: CommitToProject | undefined;
  /** Proves that documents, history, archive and indexes agree. Changes nothing. */
  verify(request?: VerifyRequest): Promise<Verification>;
  /** The topics in a git repository, and its remote; throws NOT_FOUND where they lie in none. Needs git. */
  sync(): Promise<MemorySync>;
  /** Removes a leaked value from everything that is kept here, also from what was; nobody can bring it back. */
  purge(request: PurgeRequest): Promise<PurgeReport>;
  /** What was purged and may not be written again, by salted hashes. */
  readonly purgedValues: Pick<RefusedValues, "list" | "remove">;
  /** Who may use a server of this memory. */
  readonly tokens: Tokens;
  /** What the guard lets pass. */
  readonly allowList: AllowList;
  /** The larger model that search goes by, as far as can be seen without loading it. */
  model(): ChosenModel;
  /** Loads or asks that model, to see whether it works. */
  tryModel(): Promise<TriedModel>;
  /** The agents that have files of their own here. */
  listAgents(): Promise<readonly string[]>;
  /** Whether the database answers, a second ago at most; undefined where nothing lies in one. */
  databaseHealth(): Promise<DatabaseHealth | undefined>;
  /** What `doctor` finds, looked for by another process; undefined where none can be started. */
  diagnose(): Promise<readonly Finding[] | undefined>;
  /** What the user should know: folders left out, settings that are not trusted. */
  readonly warnings: readonly string[];
  readonly log: Log;
  /** Takes away what killed processes left, and ends what they had decided. */
  recover(): Promise<RecoveryReport>;
  close(): Promise<void>;
}

/** Told what was written and by whom. The files of an agent are in the root `agent_memory`, below its id. */
export type ChangeListener = (outcomes: readonly Outcome[], stamp: Stamp) => void;

const healthMs = 1000;
/** Enough for any folder: what is shown is cut by whoever shows it. */
const pageEntries = 100_000;

/**
 * Opens the workspace of a project, with its settings from recollect.yaml, the user's file, the environment and flags.
 *
 * ```ts
 * const workspace = await openWorkspace({ project: "/home/ada/shop" });
 * await workspace.memories.write("build", "Run the tests first.\n");
 * await workspace.close();
 * ```
 */
export async function openWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const { cwd = process.cwd(), env = process.env, home = homedir() } = options;
  const { project, settings, files } = await settleProject({ ...options, cwd, env, home });
  const { values } = settings;
  const level = values.log_level ?? options.logLevel;
  const log = options.log ?? (level === undefined ? noLog : createStderrLog({ level }));
  const dataFolder = userDataFolder({ env, home });
  const topicsFolder = settleTopics(values, { project: project?.folder, cwd, home, dataFolder });
  const plan = planRoots(settings, { project: project?.folder, files, topics: topicsFolder.found });
  const warnings = [
    ...untrustedNotices(settings.untrusted),
    // What is to be said of the default folder, the plan says together with what to do.
    ...settings.warnings.filter(({ key }) => key !== "memories.folder").map(({ message }) => message),
    ...plan.warnings,
    ...topicsFolder.warnings,
    ...idleTools(values),
  ];
  for (const message of warnings) log("warning", "configuration", { message });
  const agentPlace = values["agent.app_cache_dir"];
  const stores = await openWorkspaceStores({ plan, agents: agentPlace, values, lockTimeoutMs: options.lockTimeoutMs });
  const store = stores.files;
  const limits = { documentBytes: values["limits.document_bytes"], pageEntries };
  const { tokens, allowList, refused } = openSharedRecords({
    dataFolder,
    database: stores.database,
    space: values["database.space"],
    onUnreadable: (message) => log("warning", "tokens", { message }),
  });
  const allowed = async () => new Set((await allowList.list()).map(({ fingerprint }) => fingerprint));
  // What `warn` lets pass is always said, also where nobody asked for a log.
  const guardLog = options.log ?? createStderrLog({ level: level ?? "warning" });
  const guard = createContentGuard({
    policy: values["guard.policy"],
    allowed,
    allowedStamp: allowList.stamp,
    log: guardLog,
    purged: refused,
  });
  const agentId = values["agent.id"];
  const model = () => chooseModel(values, dataFolder);
  const recalled = openRecallLedger({
    folder: dataFolder,
    placeOf: (root) => placeOf(root, plan, agentPlace),
  });
  const searching = createWorkspaceSearch({
    ledger: recalled,
    sources: stores.sources,
    database: stores.databaseSettings,
    plan,
    agentId,
    agents: agentPlace,
    folder: searchFolder({ env, home }),
    guard: { policy: values["guard.policy"], allowed },
    usesMeaning: values["search.meaning"],
    model,
    env,
    weights: {
      recency: values["search.recency_weight"],
      recencyHalfLifeDays: values["search.recency_half_life_days"],
      context: values["search.context_weight"],
    },
    stays: options.stays ?? false,
    topicsWarning,
  });
  const bearer: Bearer = {
    author: options.author ?? (agentId === undefined ? `person:${userName()}` : `agent:${agentId}`),
    run: options.run,
    agentId,
  };
  const historySettings = { settings, plan, project: project?.folder };
  const commitToProject = createProjectCommits({
    ...historySettings,
    store,
    documents: () => own.documents,
    // Git finds the settings of the user there.
    env: { HOME: home, ...env },
  });
  const recording = createWorkspaceHistory({
    keepMs: keepMsOf(historySettings),
    commitToProject,
    isBusy: searching.isBuilding,
    isAsked: searching.isAsked,
    stores,
    plan,
    history: () => own.history(),
    env,
    log,
    stays: options.stays ?? false,
  });
  const live = createLiveChanges({ stores, agents: agentPlace, log, now: Date.now });
  const listeners = new Set<ChangeListener>([live.committed]);
  const committed = (outcomes: readonly Outcome[], stamp: Stamp) => {
    stores.committed(outcomes);
    searching.committed(outcomes);
    recording.committed();
    for (const tell of listeners) tell(outcomes, stamp);
  };
  const syncing = createWorkspaceSync({
    store,
    plan,
    topics: topicsFolder.found,
    strategy: values["memory_configuration.sync_strategy"],
    intervalMs: values["memory_configuration.sync_interval_minutes"] * 60_000,
    mustBeReached: values["memory_configuration.on_external_failure"] === "fail",
    guard,
    purged: refused,
    committed: (outcomes) => committed(outcomes, { author: "outside" }),
    record: async () => (await own.history()).catchUp({ waitMs: 60_000 }),
    // Git finds the settings of the user there.
    env: { HOME: home, ...env },
    log,
    stays: options.stays ?? false,
    onProgress: options.onProgress,
  });
  const regex = createRegexRunner();
  const closing = new AbortController();
  const stats =
    plan.topics === undefined
      ? undefined
      : openAccessStats({ folder: dataFolder, root: topicsFolder.found?.folder ?? topicsFolder.found?.given ?? "" });
  const agents = createAgentMemories({
    place: agentPlace,
    database: stores.database,
    shared: { log, limits, guard },
    committed: (outcomes, stamp) => {
      for (const tell of listeners) tell(outcomes, stamp);
    },
  });
  const parts: SessionParts = {
    plan,
    storeOf: stores.of,
    limits,
    guard,
    regex,
    log,
    searching,
    recording,
    openTopics,
    assertTopics: syncing.assertReached,
    sync: topicsFolder.found?.git ? syncing.sync : undefined,
    topicsWarning,
    topicsError: () => topicsFolder.error ?? plan.topicsError ?? noTopics(),
    agentMemory: agents.memory,
    committed: (outcomes, stamp) => {
      committed(outcomes, stamp);
      syncing.committed(outcomes);
    },
  };
  // Whoever asks, and how often, asks the database no more often than this.
  const health = createFreshCopy({ load: async () => stores.database?.health(), mostMs: healthMs });
  const own = createSession(parts, bearer);
  const { documents, stamp } = own;
  const topics = plan.topics === undefined ? undefined : openTopics({ documents, root: plan.topics, stamp });
  await syncing.begin();
  return {
    ...own,
    project,
    settings,
    dataFolder,
    session: (other) => createSession(parts, other),
    onChanged: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    live,
    recalled,
    listAgents: () => listAgents(agentPlace, stores.database),
    databaseHealth: health.get,
    commitToProject,
    sync: syncing.sync,
    verify: async (request = {}) => {
      const { verifyWorkspace } = await import("./verify-workspace.ts");
      return verifyWorkspace({ stores, plan, topics, search: searching, env }, request);
    },
    purgedValues: refused,
    tokens,
    allowList,
    purge: async (request) => {
      const { purgeWorkspace } = await import("./purge-workspace.ts");
      const sync = topicsFolder.found?.git ? syncing.sync : undefined;
      const { history } = own;
      const kept = {
        stores,
        plan,
        agents: agentPlace,
        documents,
        history,
        topics,
        sync,
        stamp,
        env,
        home,
        dataFolder,
        refused,
      };
      return purgeWorkspace({ ...kept, now: Date.now }, request);
    },
    model,
    tryModel: async () => {
      const chosen = model();
      if (chosen.kind === "none") return chosen;
      if (chosen.kind === "unusable") return { kind: "unavailable", reason: chosen.says, remedy: chosen.remedy };
      const { tryModel } = await import("./open-model.ts");
      return tryModel(chosen, env);
    },
    diagnose: () => {
      const { flags = {}, project: given } = options;
      const request = { cwd, env, home, flags, ...(given === undefined ? {} : { project: given }) };
      return diagnoseElsewhere(request, closing.signal);
    },
    fallbackEntries: openFallbackEntries(),
    get topicsWarning() {
      return topicsWarning();
    },
    get warnings() {
      return [...warnings, ...syncing.warnings()];
    },
    log,
    recover: async () => {
      const report = await stores.recover();
      const ofAgent = await own.agent?.memory.recover(own.agent.agentId);
      return {
        completed: report.completed + (ofAgent?.completed ?? 0),
        discarded: report.discarded + (ofAgent?.discarded ?? 0),
      };
    },
    close: async () => {
      closing.abort();
      stats?.close();
      await live.close();
      await searching.close();
      recalled.close();
      await syncing.close();
      await recording.close();
      await Promise.all([regex.close(), stores.close(), agents.close()]);
    },
  };

  function topicsWarning(): string | undefined {
    return [...topicsFolder.warnings, ...syncing.warnings()][0];
  }

  function openTopics(context: TopicContext): Topics {
    const accessed = (paths: readonly string[]) => stats?.record(paths);
    const created = createTopics({ ...context, today: () => localDate(), accessed });
    const folder = topicsFolder.found?.folder;
    const opened = folder === undefined ? created : tidyMerged(created, folder, log);
    if (topicsFolder.found?.warning === undefined || folder === undefined) return opened;
    return recordFallback(opened, recordsOf(folder), log);
  }

  function recordsOf(folder: string): FallbackRecords {
    return openFallbackRecords({ folder: dataFolder, topics: realPathOf(folder) });
  }

  /** By the same plan that a fallback would go by: where that gives no folder, none was ever stored in. */
  function openFallbackEntries(): FallbackEntries | undefined {
    const own = ownTopicsFolder(values, project?.folder);
    const external = topicsFolder.found?.isExternal ? topicsFolder.found.folder : undefined;
    if (own?.folder === undefined || external === undefined || plan.topics === undefined) return undefined;
    if (overlap(own.folder, external)) return undefined;
    return createFallbackEntries({
      folder: own.given,
      records: recordsOf(own.folder),
      external: { documents, root: plan.topics, stamp },
      withOwn: async (use) => {
        const ownPlan = planRoots(settings, { project: project?.folder, files, topics: own });
        if (ownPlan.topics === undefined) throw ownPlan.topicsError ?? noTopics();
        const ownStore = openFilesStore({ roots: ownPlan.folders, now: Date.now });
        const roots = ownPlan.mounted.map((root) => ({ ...root, store: ownStore }));
        try {
          return await use({ documents: createDocuments({ roots, limits, guard }), root: ownPlan.topics, stamp });
        } finally {
          await ownStore.close();
        }
      },
    });
  }
}

/** Where a root lies, as text; agents' own files are named by the agent. */
function placeOf(root: string, { folders, spaces }: RootPlan, agents: ConfiguredPlace): string | undefined {
  const folder = folders.find(({ name }) => name === root)?.folder;
  const space = spaces.find(({ name }) => name === root)?.space;
  if (folder !== undefined || space !== undefined) return folder ?? spacePlace(space ?? "");
  if (!root.startsWith(`${agentRoot}/`)) return undefined;
  return agents.folder === undefined ? spacePlace(`${agents.space}/${root}`) : join(agents.folder, root);
}

/** Whether one folder is the other, or lies in it. What cannot be looked at may be anything. */
function overlap(one: string, other: string): boolean {
  try {
    const [left, right] = [realPathOf(one), realPathOf(other)];
    return isInside(left, right) || isInside(right, left);
  } catch (error) {
    if (error instanceof Error && "code" in error) return true;
    throw error;
  }
}

/** A tool set that is asked for, but has nothing to work on. */
function idleTools(values: SettingValues): string[] {
  const needs = { bank: "bank.memory_path", agent: "agent.id" } as const;
  return (["bank", "agent"] as const)
    .filter((set) => values.tools.includes(set) && values[needs[set]] === undefined)
    .map((set) => `The tools “${set}” are not served, since ${needs[set]} is not set.`);
}

/** A failing external memory concerns the topics alone: everything else goes on. */
function settleTopics(...args: Parameters<typeof resolveTopicsFolder>): {
  readonly found?: TopicsFolder | undefined;
  readonly error?: RecollectError;
  readonly warnings: readonly string[];
} {
  try {
    const found = resolveTopicsFolder(...args);
    return { found, warnings: found?.warning === undefined ? [] : [found.warning] };
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    return { error, warnings: [error.message] };
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without a name, as in some containers.
    return String(process.getuid?.() ?? "unknown");
  }
}
