/** What the command line, the MCP server and HTTP use of everything below them. Programs of others use `index.ts`. */

export { makeFolders } from "./backends/files/make-folders.ts";
export { hasPurgedValues, openPurgedValues } from "./backends/files/purged-values.ts";
export type { RootFolderOptions } from "./backends/files/root-folders.ts";
export type { FilesStoreOptions } from "./backends/files/store.ts";
export { openFilesStore } from "./backends/files/store.ts";
export type { Finding } from "./care/doctor/diagnose.ts";
export { diagnose } from "./care/doctor/diagnose.ts";
export { readMemoryPages } from "./care/doctor/read-memory-pages.ts";
export type { FlaggedDocument, ScannedMemory } from "./care/doctor/scan-memory.ts";
export { scanMemory } from "./care/doctor/scan-memory.ts";
export type { ExportReport } from "./care/export/export-roots.ts";
export type { ExportWorkspaceOptions } from "./care/export/export-workspace.ts";
export { exportWorkspace } from "./care/export/export-workspace.ts";
export type { MigratedRoot, MigrationOptions, MigrationReport } from "./care/migrate/migrate-workspace.ts";
export { migrateWorkspace } from "./care/migrate/migrate-workspace.ts";
export type { LeftOutRoot, MigrationDirection, RootPair } from "./care/migrate/plan-migration.ts";
export type { PurgedPlace, PurgeReport, PurgeRequest } from "./care/purge/purge-workspace.ts";
export type { Verification, VerifyRequest } from "./care/verify/verify-workspace.ts";
export type { Client, ClientName, Scope } from "./clients/clients.ts";
export { clientNames, clients } from "./clients/clients.ts";
export { detectClients } from "./clients/detect-clients.ts";
export { examineClients } from "./clients/examine-clients.ts";
export type { FilePlan } from "./clients/file-plan.ts";
export { applyFilePlan } from "./clients/file-plan.ts";
export type { ClientMemory } from "./clients/find-client-memories.ts";
export { findClaudeMemory } from "./clients/find-client-memories.ts";
export { findLaunch } from "./clients/launch.ts";
export { allowedTools, askedTools } from "./clients/permission.ts";
export type { SetupRequest } from "./clients/plan.ts";
export { planProjectFiles, planSetup } from "./clients/plan.ts";
export { planRemoval } from "./clients/plan-removal.ts";
export type { PlanRequest } from "./clients/planned-file.ts";
export { makeProject, memoriesFolder } from "./clients/project-folder.ts";
export { instructionLines } from "./clients/project-pieces.ts";
export { readSkills } from "./clients/read-skills.ts";
export type { Launch, ServerFlags } from "./clients/server-entry.ts";
export { programLine, serverArguments } from "./clients/server-entry.ts";
export type { Surroundings } from "./clients/surroundings.ts";
export type { AllowedFinding, AllowList } from "./credentials/allow-list.ts";
export { openAllowList } from "./credentials/allow-list.ts";
export { idleScopes } from "./credentials/idle-scopes.ts";
export type { TokenScope } from "./credentials/token-scopes.ts";
export { parseTokenScope, toGrants } from "./credentials/token-scopes.ts";
export type { ListedToken, NewToken, Token, Tokens, UnreadableToken } from "./credentials/tokens.ts";
export { openTokens } from "./credentials/tokens.ts";
export type { Finding as GuardFinding } from "./guard/finding.ts";
export type { Guard, GuardOptions, GuardPolicy } from "./guard/guard.ts";
export { createGuard } from "./guard/guard.ts";
export { refusalOf } from "./guard/refusal.ts";
export type { BlamedLine } from "./history/blame.ts";
export type { ConflictChoice } from "./history/conflicts/conflict-choices.ts";
export type { ConflictSide, Conflicts, ConflictView, NamedConflict } from "./history/conflicts/conflicts.ts";
export type { MeantConflict } from "./history/conflicts/meant-conflict.ts";
export type { KeepChoice, SeenRevisions, Settled, SettleRequest } from "./history/conflicts/settle-conflict.ts";
export { keepChoices } from "./history/conflicts/settle-conflict.ts";
export type { UnsettledConflict, UnsettledView } from "./history/conflicts/unsettled-conflicts.ts";
export type { EntryDiff } from "./history/entry-changes.ts";
export type { EntryFormat, EntryRevision } from "./history/entry-history.ts";
export type { KnownRemote } from "./history/git/find-remotes.ts";
export type { EntryRequest, History, RestoreResult, RevisionDiff, ShownRevision } from "./history/history.ts";
export type { UndoneResult } from "./history/plan-undo.ts";
export type { FolderAddress, FolderMoment, RestoredDocument } from "./history/restore-folder.ts";
export type {
  LocatedRecord,
  MemoryHistory,
  TimelineOperation,
  TimelineRequest,
} from "./history/service/view-history.ts";
export { appendLine, readLines } from "./history/sessions/line-log.ts";
export {
  openSessionRecords,
  removeSessionState,
  type SessionRecord,
  type SessionRecords,
} from "./history/sessions/session-records.ts";
export type { UndoReport, UndoTarget } from "./history/undo.ts";
export type { BackendHealth, FillProgress } from "./kernel/backend.ts";
export type { Conflict, Expectation } from "./kernel/conflict.ts";
export { parseExpectation } from "./kernel/conflict.ts";
export type { ContentGuard, GuardedChange } from "./kernel/content-guard.ts";
export { counted } from "./kernel/counted.ts";
export type { DocumentPath, ExistingPath } from "./kernel/document-path.ts";
export { comparePaths, parseDocumentPath, parseExistingPath } from "./kernel/document-path.ts";
export type { ChangeResult, Documents, Limits } from "./kernel/documents.ts";
export { createDocuments, defaultLimits } from "./kernel/documents.ts";
export type { ErrorCode } from "./kernel/errors.ts";
export { errorCodes, isRecollectError, RecollectError } from "./kernel/errors.ts";
export type { FindingLevel, OnVerifyProgress, VerifyFinding } from "./kernel/finding.ts";
export { matchesGlob } from "./kernel/glob.ts";
export type { Excerpt, LineRange } from "./kernel/line-range.ts";
export type { Log, LogLevel } from "./kernel/log.ts";
export { logLevels } from "./kernel/log.ts";
export { originalOfConflict } from "./kernel/merge/conflict-path.ts";
export type { MountedRoot } from "./kernel/mounted-roots.ts";
export type { PurgedValue } from "./kernel/purged-form.ts";
export { parseRecordName } from "./kernel/record-name.ts";
export type { RefusedValues } from "./kernel/refused-values.ts";
export type { Rev } from "./kernel/revision.ts";
export { isRev, revisionOf } from "./kernel/revision.ts";
export type {
  CatchUp,
  DocumentChange,
  HistoryStatus,
  LogPage,
  LogRequest,
  Operation as HistoryOperation,
  OperationKind,
} from "./kernel/root-history.ts";
export type { Operation, RootPolicy } from "./kernel/root-policy.ts";
export { fullAccess, operations, readOnly } from "./kernel/root-policy.ts";
export type {
  Address,
  BrowseRequest,
  Change,
  ChangeKind,
  Committed,
  Current,
  FolderListing,
  ListEntry,
  ListPage,
  ListRequest,
  MeasuredDocument,
  Outcome,
  Planning,
  RecentDocument,
  RecentRequest,
  RecoveryReport,
  RefusalOf,
  Stamp,
  Store,
  StoredDocument,
} from "./kernel/store.ts";
export { isVisibleName } from "./kernel/visible-name.ts";
export { parseAgentId } from "./notes/agents/agent-id.ts";
export type { AgentFile, AgentFileEntry, AgentFileList, AgentMemory } from "./notes/agents/agent-memory.ts";
export { createAgentMemory } from "./notes/agents/agent-memory.ts";
export {
  AgentMemoryError,
  AgentMemoryFileNotFoundError,
  AgentNotFoundError,
  FileOperationError,
  InvalidPathError,
} from "./notes/agents/errors.ts";
export type { Bank, BankFile, BankOptions, CreatedFile, CreatedTaskFile, TaskFileKind } from "./notes/bank/bank.ts";
export { createBank, taskFileKinds } from "./notes/bank/bank.ts";
export { bankPolicies, bankRoots, parseProjectName } from "./notes/bank/bank-roots.ts";
export type { FolderContents } from "./notes/bank/list-folder.ts";
export type { BankAreas } from "./notes/bank/locate-path.ts";
export type { CheckReport } from "./notes/memories/check-memories.ts";
export type { EditedText, EditMode, TextEdit } from "./notes/memories/edit-text.ts";
export { editModes } from "./notes/memories/edit-text.ts";
export type { ListMemoriesRequest, MemoryEntry, MemoryPage } from "./notes/memories/list-memories.ts";
export type {
  DeletedMemory,
  EditedMemory,
  Memories,
  MemoriesOptions,
  ReadMemory,
  WrittenMemory,
} from "./notes/memories/memories.ts";
export { createMemories } from "./notes/memories/memories.ts";
export type { MemoryFolder } from "./notes/memories/memory-folder.ts";
export { nameOfPath, pathOfName } from "./notes/memories/memory-name.ts";
export type { MemoryOverview } from "./notes/memories/overview.ts";
export type { RegexRunner } from "./notes/memories/regex-runner.ts";
export type { RenamedMemory } from "./notes/memories/rename-memory.ts";
export { suggestNames } from "./notes/memories/suggest-names.ts";
export { passagesOf } from "./notes/records/pieces.ts";
export { documentName, printedName } from "./notes/records/print-name.ts";
export type { ForgottenRecord, Records } from "./notes/records/records.ts";
export type { Entry, ReadEntry } from "./notes/topics/entry.ts";
export { readEntry, renderEntry } from "./notes/topics/entry.ts";
export type {
  FallbackEntries,
  FallbackEntry,
  LeftEntry,
  MovedOver,
  WhichEntries,
} from "./notes/topics/fallback-entries.ts";
export type { IndexRow } from "./notes/topics/index-file.ts";
export { localDate } from "./notes/topics/local-date.ts";
export type { Reindexed } from "./notes/topics/reindex.ts";
export type { EntryTimeline, EntryTimelineRequest, TimelineEntry } from "./notes/topics/timeline.ts";
export type { RawEntry, TopicFile } from "./notes/topics/topic-file.ts";
export { parseTopicFile, renderTopicFile } from "./notes/topics/topic-file.ts";
export type { TopicName } from "./notes/topics/topic-paths.ts";
export { indexPath, parseTopicName } from "./notes/topics/topic-paths.ts";
export type {
  LoadedEntries,
  LoadedEntry,
  LoadRequest,
  NewEntry,
  OlderEntries,
  PrunedTopic,
  ReadTopicFile,
  StoredEntry,
  TopicFileRange,
  Topics,
  TopicsOptions,
} from "./notes/topics/topics.ts";
export { createTopics } from "./notes/topics/topics.ts";
export type { NameOf } from "./roots/document-names.ts";
export type { Grants } from "./roots/restrict-plan.ts";
export { packageFolder } from "./search/meaning/package-folder.ts";
export { onOneLine, withoutFrames } from "./search/recall/one-line.ts";
export type {
  Explanation,
  Hit,
  IndexProgress,
  OnIndexProgress,
  Recalled,
  RecalledItem,
  RecallRequest,
  Search,
  SearchContext,
  SearchCounts,
  SearchPage,
  SearchRequest,
  SearchStatus,
  Snippet,
} from "./search/search.ts";
export { defaultLimit } from "./search/search.ts";
export type { Access, AccessStats } from "./search/service/access-stats.ts";
export { openAccessStats } from "./search/service/access-stats.ts";
export type { ChosenModel, TriedModel } from "./search/service/choose-model.ts";
export type { Embeddings, EmbeddingsOptions, LocalModelState } from "./search/service/embeddings.ts";
export { openEmbeddings } from "./search/service/embeddings.ts";
export { removeSearchIndexes } from "./search/service/old-indexes.ts";
export type { HandedOut, RecallLedger } from "./search/service/recall-ledger.ts";
export { defaultDataFolder } from "./settings/default-folders.ts";
export type { Untrusted } from "./settings/distrust-project.ts";
export type { Project } from "./settings/find-project.ts";
export { findProject } from "./settings/find-project.ts";
export { projectSettingsFile } from "./settings/nearest-project.ts";
export type { ProjectChoices } from "./settings/project-choices.ts";
export { openProjectChoices } from "./settings/project-choices.ts";
export {
  allowRecall,
  allowsRecall,
  listRecall,
  recallSubject,
  repositoryOf,
  revokeRecall,
  revokeRecallOf,
} from "./settings/recall-consent.ts";
export type { ResolvedSettings, ResolveOptions, SettingOrigin, SettingSource } from "./settings/resolve-settings.ts";
export { resolveSettings, settingSources } from "./settings/resolve-settings.ts";
export type { Setting } from "./settings/setting.ts";
export type { SettingFlags } from "./settings/setting-texts.ts";
export type { AdditionalPlace, ConfiguredFolder } from "./settings/setting-types.ts";
export type { SettingFlagName, SettingKey, SettingValues, ToolSet } from "./settings/settings.ts";
export { settingKeys, settingOf, shownValue, toolSets } from "./settings/settings.ts";
export type { Trust, TrustedFile } from "./settings/trust.ts";
export { openTrust } from "./settings/trust.ts";
export type { UserPlace } from "./settings/user-folders.ts";
export {
  sessionLogsFolder,
  userCacheFolder,
  userDataFolder,
  userSettingsFile,
} from "./settings/user-folders.ts";
export { createUserHash, type UserHash } from "./settings/user-hash.ts";
export { withdrawnSetting } from "./settings/withdrawn-settings.ts";
export type { SyncStrategy } from "./sync/follow-sync.ts";
export type { ProjectCommit } from "./sync/project-git/commit-documents.ts";
export type { DriverFolders, DriverSetup } from "./sync/project-git/driver-setup.ts";
export type { DriverRequest, DriverResult } from "./sync/project-git/merge-driver.ts";
export { runMergeDriver } from "./sync/project-git/merge-driver.ts";
export type { NotesInGit } from "./sync/service/notes-in-git.ts";
export { inspectNotesInGit } from "./sync/service/notes-in-git.ts";
export { planMergeDriver } from "./sync/service/plan-merge-driver.ts";
export type { CommitToProject } from "./sync/service/project-commits.ts";
export type { MemorySync } from "./sync/service/workspace-sync.ts";
export type { RewrittenChoice, SyncReport, SyncRequest, SyncState } from "./sync/sync.ts";
export type { SideBySideRow, SideLine } from "./text/side-by-side.ts";
export { sideBySide } from "./text/side-by-side.ts";
export type { AgentMemoryServiceOptions } from "./workspace/agent-memory-service.ts";
export { AgentMemoryService } from "./workspace/agent-memory-service.ts";
export { createContentGuard } from "./workspace/content-guard.ts";
export type { Listening, LiveChange, LiveChanges, LiveNews } from "./workspace/live-changes.ts";
export type { Bearer, Session, SessionRoot, SessionRootKind } from "./workspace/session.ts";
export { createStderrLog } from "./workspace/stderr-log.ts";
export type { UserRecordsOptions } from "./workspace/user-records.ts";
export { withUserRecords } from "./workspace/user-records.ts";
export type { ChangeListener, Workspace, WorkspaceOptions } from "./workspace/workspace.ts";
export { openWorkspace } from "./workspace/workspace.ts";
