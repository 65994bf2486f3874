import type { Finding } from "../care/doctor/diagnose.ts";
import type { PurgeReport, PurgeRequest } from "../care/purge/purge-workspace.ts";
import type { Verification, VerifyRequest } from "../care/verify/verify-workspace.ts";
import type { AllowList } from "../credentials/allow-list.ts";
import type { Tokens } from "../credentials/tokens.ts";
import type { SessionRecords } from "../history/sessions/session-records.ts";
import type { BackendHealth } from "../kernel/backend.ts";
import type { Log, LogLevel } from "../kernel/log.ts";
import type { RefusedValues } from "../kernel/refused-values.ts";
import type { Rev } from "../kernel/revision.ts";
import type { Address, Outcome, RecoveryReport, Stamp } from "../kernel/store.ts";
import type { AgentFileList, AgentMemory } from "../notes/agents/agent-memory.ts";
import type { FallbackEntries } from "../notes/topics/fallback-entries.ts";
import { closeOnFailure } from "../roots/close-on-failure.ts";
import type { ChosenModel, TriedModel } from "../search/service/choose-model.ts";
import type { RecallLedger } from "../search/service/recall-ledger.ts";
import type { Project } from "../settings/find-project.ts";
import type { ResolvedSettings } from "../settings/resolve-settings.ts";
import type { SettingFlags } from "../settings/setting-texts.ts";
import type { CommitToProject } from "../sync/service/project-commits.ts";
import type { MemorySync } from "../sync/service/workspace-sync.ts";
import type { LiveChanges } from "./live-changes.ts";
import type { Bearer, Session } from "./session.ts";
import { wireWorkspace } from "./wire-workspace.ts";
import { openWorkspaceBase } from "./workspace-base.ts";

/** Which project to open, and for whom. */
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
  /** True for a process that answers many clients at once: a write that waits for the disk does not keep others waiting. */
  readonly answersMany?: boolean;
  /** True also opens configured folders that vanished and whose history has a mirror, to check or to restore them. */
  readonly opensVanished?: boolean;
  /** Told how far it is where a memory is fetched from its remote for the first time. */
  readonly onProgress?: (text: string) => void;
}

/** What one configuration opens; what the command line, MCP and other programs work on. */
export interface Workspace extends Session {
  readonly project: Project | undefined;
  readonly settings: ResolvedSettings;
  /** Where the user's own records lie, such as tokens: not the project's. */
  readonly dataFolder: string;
  /** The person who opened it, as history names them, also where it was opened for an agent. */
  readonly person: string;
  /** The same workspace for another one: under their name, and with no more than they may. Cheap; keep it for each. */
  session(bearer: Bearer): Session;
  /** Tells of everything that is written through this workspace, until the function that it returns is called. */
  onChanged(listener: ChangeListener): () => void;
  /** What anybody changes, also by hand and in other processes, for those who listen. */
  readonly live: Pick<LiveChanges, "listen">;
  /** Who wrote a version through Recollect, on this machine or in the database; undefined for what came another way. */
  authorHere(at: Address, rev: Rev): Promise<string | undefined>;
  /** Which documents search and recall handed out. */
  readonly recalled: Pick<RecallLedger, "list">;
  /** What the last sessions of agents here were about, as hooks keep it. */
  readonly sessionRecords: SessionRecords;
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
  /** The files that agents keep for themselves. */
  readonly agents: WorkspaceAgents;
  /** Whether the database answers, a second ago at most; undefined where nothing lies in one. */
  databaseHealth(): Promise<BackendHealth | undefined>;
  /** What `doctor` finds, looked for by another process; undefined where none can be started. */
  diagnose(): Promise<readonly Finding[] | undefined>;
  /** What the user should know: folders left out, settings that are not trusted. */
  readonly warnings: readonly string[];
  readonly log: Log;
  /** Takes away what killed processes left, and ends what they had decided. */
  recover(): Promise<RecoveryReport>;
  /** What was found damaged in history, was mended, or could not be recorded, also at the end. */
  readonly historyNotices: readonly string[];
  close(): Promise<void>;
}

/** The isolated files of each agent, by its id; for the program that opened the workspace, not for agents. */
interface WorkspaceAgents extends Pick<AgentMemory, "read" | "write" | "append"> {
  /** The agents that have files here. */
  list(): Promise<readonly string[]>;
  files(agentId: string, page?: { after?: string; limit?: number }): Promise<AgentFileList>;
}

/** Told what was written and by whom. The files of an agent are in the root `agent_memory`, below its id. */
export type ChangeListener = (outcomes: readonly Outcome[], stamp: Stamp) => void;

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
  const base = await openWorkspaceBase(options);
  const { workspace, begin } = await closeOnFailure(base.backends, () => wireWorkspace(base, options));
  await closeOnFailure(workspace, begin);
  return workspace;
}
