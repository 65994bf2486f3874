import { homedir } from "node:os";
import { openSharedRecords, type SharedRecords } from "../credentials/shared-records.ts";
import type { ContentGuard } from "../kernel/content-guard.ts";
import type { Limits } from "../kernel/documents.ts";
import { isRecollectError, type RecollectError } from "../kernel/errors.ts";
import { type Log, noLog } from "../kernel/log.ts";
import { closeOnFailure } from "../roots/close-on-failure.ts";
import { type MirrorBase, mirrorOf } from "../roots/history-roots.ts";
import { planRoots, type RootPlan } from "../roots/mount-roots.ts";
import { type BackendSetup, type Backends, openBackends } from "../roots/open-backends.ts";
import { resolveTopicsFolder, type TopicsFolder } from "../roots/topics-folder.ts";
import { untrustedNotices } from "../settings/distrust-project.ts";
import type { Project } from "../settings/find-project.ts";
import type { ResolvedSettings } from "../settings/resolve-settings.ts";
import type { SettingValues } from "../settings/settings.ts";
import { settleProject } from "../settings/settle-project.ts";
import { userDataFolder } from "../settings/user-folders.ts";
import { createContentGuard } from "./content-guard.ts";
import { createStderrLog } from "./stderr-log.ts";
import type { WorkspaceOptions } from "./workspace.ts";

/** What a workspace stands on: what was configured, where everything lies, and what keeps it. */
export interface WorkspaceBase {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  /** Where the user's own records lie. */
  readonly dataFolder: string;
  readonly project: Project | undefined;
  /** Where the project's own files lie: in a worktree that shares its memories, not where those are. */
  readonly files: string | undefined;
  readonly settings: ResolvedSettings;
  readonly topicsFolder: SettledTopics;
  readonly plan: RootPlan;
  readonly warnings: readonly string[];
  readonly log: Log;
  /** To be closed by whoever opened this. */
  readonly backends: Backends;
  readonly setup: BackendSetup;
  readonly records: SharedRecords;
  readonly limits: Limits;
  /** Fingerprints of what the guard lets pass. */
  readonly allowed: () => Promise<ReadonlySet<string>>;
  readonly guard: () => Promise<ContentGuard>;
}

interface SettledTopics {
  readonly found?: TopicsFolder | undefined;
  readonly error?: RecollectError;
  readonly warnings: readonly string[];
}

/** Enough for any folder: what is shown is cut by whoever shows it. */
const pageEntries = 100_000;

export async function openWorkspaceBase(options: WorkspaceOptions): Promise<WorkspaceBase> {
  const { cwd = process.cwd(), env = process.env, home = homedir() } = options;
  const { project, settings, files } = await settleProject({ ...options, cwd, env, home });
  const { values } = settings;
  const level = values.log_level ?? options.logLevel;
  const log = options.log ?? (level === undefined ? noLog : createStderrLog({ level }));
  const dataFolder = userDataFolder({ env, home });
  const topicsFolder = settleTopics(values, { project: project?.folder, cwd, home, dataFolder });
  const plan = planRoots(settings, {
    project: project?.folder,
    files,
    topics: topicsFolder.found,
    dataFolder,
    isMirrored: options.opensVanished ? await mirrorFinder({ dataFolder, home, project }, env) : undefined,
  });
  const warnings = [
    ...untrustedNotices(settings.untrusted),
    // What is to be said of the default folder, the plan says together with what to do.
    ...settings.warnings.filter(({ key }) => key !== "memories.folder").map(({ message }) => message),
    ...plan.warnings,
    ...topicsFolder.warnings,
    ...idleTools(values),
  ];
  for (const message of warnings) log("warning", "configuration", { message });
  const setup: BackendSetup = {
    values,
    agents: values["agent.app_cache_dir"],
    env,
    home,
    dataFolder,
    project: project && { folder: project.folder },
    lockTimeoutMs: options.lockTimeoutMs,
    blockingSync: options.answersMany !== true,
  };
  const backends = await openBackends(setup, plan.roots);
  return closeOnFailure(backends, () => {
    const records = openSharedRecords(backends.records, (message) => log("warning", "tokens", { message }));
    const { allowList, refused } = records;
    const allowed = async () => new Set((await allowList.list()).map(({ fingerprint }) => fingerprint));
    const guard = createContentGuard({
      policy: values["guard.policy"],
      allowed,
      allowedStamp: allowList.stamp,
      // What `warn` lets pass is always said, also where nobody asked for a log.
      log: options.log ?? createStderrLog({ level: level ?? "warning" }),
      purged: refused,
    });
    const limits = { documentBytes: values["limits.document_bytes"], pageEntries };
    const found = { cwd, env, home, dataFolder, project, files, settings, topicsFolder, plan, warnings };
    return { ...found, log, backends, setup, records, limits, allowed, guard };
  });
}

/** Whether the history of a folder has a mirror. Loaded where it is asked for: few commands need git's part. */
async function mirrorFinder(base: MirrorBase, env: NodeJS.ProcessEnv): Promise<(folder: string) => boolean> {
  const { openMirror } = await import("../history/git/mirror.ts");
  return (folder) => openMirror(mirrorOf({ folder }, base), { env }).tip() !== undefined;
}

/** A tool set that is asked for, but has nothing to work on. */
function idleTools(values: SettingValues): string[] {
  const needs = { bank: "bank.memory_path", agent: "agent.id" } as const;
  return (["bank", "agent"] as const)
    .filter((set) => values.tools.includes(set) && values[needs[set]] === undefined)
    .map((set) => `The tools “${set}” are not served, since ${needs[set]} is not set.`);
}

/** A failing external memory concerns the topics alone: everything else goes on. */
function settleTopics(...args: Parameters<typeof resolveTopicsFolder>): SettledTopics {
  try {
    const found = resolveTopicsFolder(...args);
    return { found, warnings: found?.warning === undefined ? [] : [found.warning] };
  } catch (error) {
    if (!isRecollectError(error)) throw error;
    return { error, warnings: [error.message] };
  }
}
