/** What the command line, the MCP server and HTTP use of everything below them. Programs of others use `index.ts`. */
export { parseAgentId } from "./agents/agent-id.ts";
export type { AgentFile, AgentFileEntry, AgentFileList, AgentMemory } from "./agents/agent-memory.ts";
export { createAgentMemory } from "./agents/agent-memory.ts";
export {
  AgentMemoryError,
  AgentMemoryFileNotFoundError,
  AgentNotFoundError,
  FileOperationError,
  InvalidPathError,
} from "./agents/errors.ts";
export type { Bank, BankFile, BankOptions, CreatedFile, CreatedTaskFile, TaskFileKind } from "./bank/bank.ts";
export { createBank, taskFileKinds } from "./bank/bank.ts";
export { bankPolicies, bankRoots, parseProjectName } from "./bank/bank-roots.ts";
export type { FolderContents } from "./bank/list-folder.ts";
export type { BankAreas } from "./bank/locate-path.ts";
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
export type { Conflict, Expectation } from "./core/conflict.ts";
export { parseExpectation } from "./core/conflict.ts";
export type { ContentGuard, GuardedChange } from "./core/content-guard.ts";
export { counted } from "./core/counted.ts";
export type { DocumentPath, ExistingPath } from "./core/document-path.ts";
export { comparePaths, parseDocumentPath, parseExistingPath } from "./core/document-path.ts";
export type { ChangeResult, Documents, Limits } from "./core/documents.ts";
export { createDocuments, defaultLimits } from "./core/documents.ts";
export type { ErrorCode } from "./core/errors.ts";
export { errorCodes, isRecollectError, RecollectError } from "./core/errors.ts";
export { matchesGlob } from "./core/glob.ts";
export type { Excerpt, LineRange } from "./core/line-range.ts";
export type { Log, LogLevel } from "./core/log.ts";
export { logLevels } from "./core/log.ts";
export type { MountedRoot } from "./core/mounted-roots.ts";
export { parseRecordName } from "./core/record-name.ts";
export type { Rev } from "./core/revision.ts";
export { isRev, revisionOf } from "./core/revision.ts";
export type { Operation, RootPolicy } from "./core/root-policy.ts";
export { fullAccess, operations, readOnly } from "./core/root-policy.ts";
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
} from "./core/store.ts";
export { isVisibleName } from "./core/visible-name.ts";
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
export type { EntryRequest, History, RestoreResult, RevisionDiff, ShownRevision } from "./history/history.ts";
export { originalOfConflict } from "./history/merge/conflict-path.ts";
export type { UndoneResult } from "./history/plan-undo.ts";
export type { KnownRemote } from "./history/purge/find-remotes.ts";
export type { PurgedValue } from "./history/purged-form.ts";
export { hasPurgedValues, openPurgedValues } from "./history/purged-values.ts";
export type { RefusedValues } from "./history/refused-values.ts";
export type { FolderAddress, FolderMoment, RestoredDocument } from "./history/restore-folder.ts";
export type {
  CatchUp,
  DocumentChange,
  HistoryStatus,
  LogPage,
  LogRequest,
  Operation as HistoryOperation,
  OperationKind,
} from "./history/root-history.ts";
export type { UndoReport, UndoTarget } from "./history/undo.ts";
export type { FindingLevel, OnVerifyProgress, VerifyFinding } from "./history/verify/finding.ts";
export type { CheckReport } from "./memories/check-memories.ts";
export type { EditedText, EditMode, TextEdit } from "./memories/edit-text.ts";
export { editModes } from "./memories/edit-text.ts";
export type { ListMemoriesRequest, MemoryEntry, MemoryPage } from "./memories/list-memories.ts";
export type {
  DeletedMemory,
  EditedMemory,
  Memories,
  MemoriesOptions,
  ReadMemory,
  WrittenMemory,
} from "./memories/memories.ts";
export { createMemories } from "./memories/memories.ts";
export type { MemoryFolder } from "./memories/memory-folder.ts";
export { nameOfPath, pathOfName } from "./memories/memory-name.ts";
export type { MemoryOverview } from "./memories/overview.ts";
export type { RegexRunner } from "./memories/regex-runner.ts";
export type { RenamedMemory } from "./memories/rename-memory.ts";
export { suggestNames } from "./memories/suggest-names.ts";
export type { CopyProgress, CopyReport } from "./migration/copy-progress.ts";
export type { ExportReport } from "./migration/export-roots.ts";
export type { ProjectCommit } from "./project-git/commit-documents.ts";
export type { DriverFolders, DriverSetup } from "./project-git/driver-setup.ts";
export type { DriverRequest, DriverResult } from "./project-git/merge-driver.ts";
export { runMergeDriver } from "./project-git/merge-driver.ts";
export { passagesOf } from "./records/pieces.ts";
export { documentName, printedName } from "./records/print-name.ts";
export type { ForgottenRecord, Records } from "./records/records.ts";
export { packageFolder } from "./search/meaning/package-folder.ts";
export { onOneLine } from "./search/recall/one-line.ts";
export { withoutFrames } from "./search/recall/without-frames.ts";
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
export type { FilesStoreOptions } from "./stores/files/files-store.ts";
export { openFilesStore } from "./stores/files/files-store.ts";
export { makeFolders } from "./stores/files/make-folders.ts";
export type { RootFolderOptions } from "./stores/files/root-folders.ts";
export type { DatabaseHealth } from "./stores/postgres/database.ts";
export type { SyncStrategy } from "./sync/follow-sync.ts";
export type { RewrittenChoice, SyncReport, SyncRequest, SyncState } from "./sync/sync.ts";
export type { SideBySideRow, SideLine } from "./text/side-by-side.ts";
export { sideBySide } from "./text/side-by-side.ts";
export type { Entry, ReadEntry } from "./topics/entry.ts";
export { readEntry, renderEntry } from "./topics/entry.ts";
export type { IndexRow } from "./topics/index-file.ts";
export type { Reindexed } from "./topics/reindex.ts";
export type { EntryTimeline, EntryTimelineRequest, TimelineEntry } from "./topics/timeline.ts";
export type { RawEntry, TopicFile } from "./topics/topic-file.ts";
export { parseTopicFile, renderTopicFile } from "./topics/topic-file.ts";
export type { TopicName } from "./topics/topic-paths.ts";
export { indexPath, parseTopicName } from "./topics/topic-paths.ts";
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
} from "./topics/topics.ts";
export { createTopics } from "./topics/topics.ts";
export type { Access, AccessStats } from "./workspace/access-stats.ts";
export { openAccessStats } from "./workspace/access-stats.ts";
export type { AgentMemoryServiceOptions } from "./workspace/agent-memory-service.ts";
export { AgentMemoryService } from "./workspace/agent-memory-service.ts";
export type { AllowedFinding, AllowList } from "./workspace/allow-list.ts";
export { openAllowList } from "./workspace/allow-list.ts";
export type { ChosenModel, TriedModel } from "./workspace/choose-model.ts";
export { createContentGuard } from "./workspace/content-guard.ts";
export { defaultDataFolder } from "./workspace/default-folders.ts";
export type { Finding } from "./workspace/diagnose.ts";
export { diagnose } from "./workspace/diagnose.ts";
export type { Untrusted } from "./workspace/distrust-project.ts";
export type { Embeddings, EmbeddingsOptions, LocalModelState } from "./workspace/embeddings.ts";
export { openEmbeddings } from "./workspace/embeddings.ts";
export type { ExportWorkspaceOptions } from "./workspace/export-workspace.ts";
export { exportWorkspace } from "./workspace/export-workspace.ts";
export type {
  FallbackEntries,
  FallbackEntry,
  LeftEntry,
  MovedOver,
  WhichEntries,
} from "./workspace/fallback-entries.ts";
export type { Project } from "./workspace/find-project.ts";
export { findProject } from "./workspace/find-project.ts";
export { idleScopes } from "./workspace/idle-scopes.ts";
export { appendLine, readLines } from "./workspace/line-log.ts";
export type { Listening, LiveChange, LiveChanges, LiveNews } from "./workspace/live-changes.ts";
export { localDate } from "./workspace/local-date.ts";
export type { MigratedRoot, MigrationOptions, MigrationReport } from "./workspace/migrate-workspace.ts";
export { migrateWorkspace } from "./workspace/migrate-workspace.ts";
export { projectSettingsFile } from "./workspace/nearest-project.ts";
export type { NotesInGit } from "./workspace/notes-in-git.ts";
export { inspectNotesInGit } from "./workspace/notes-in-git.ts";
export { removeSearchIndexes } from "./workspace/old-indexes.ts";
export type { MemoryHistory, TimelineOperation, TimelineRequest } from "./workspace/open-history.ts";
export { planMergeDriver } from "./workspace/plan-merge-driver.ts";
export type { LeftOutRoot, MigrationDirection, RootPair } from "./workspace/plan-migration.ts";
export type { ProjectChoices } from "./workspace/project-choices.ts";
export { openProjectChoices } from "./workspace/project-choices.ts";
export type { CommitToProject } from "./workspace/project-commits.ts";
export type { PurgedPlace, PurgeReport, PurgeRequest } from "./workspace/purge-workspace.ts";
export { readMemoryPages } from "./workspace/read-memory-pages.ts";
export {
  allowRecall,
  allowsRecall,
  listRecall,
  recallSubject,
  repositoryOf,
  revokeRecall,
  revokeRecallOf,
} from "./workspace/recall-consent.ts";
export type { HandedOut, RecallLedger } from "./workspace/recall-ledger.ts";
export type { ResolvedSettings, ResolveOptions, SettingOrigin, SettingSource } from "./workspace/resolve-settings.ts";
export { resolveSettings, settingSources } from "./workspace/resolve-settings.ts";
export type { Grants } from "./workspace/restrict-plan.ts";
export type { FlaggedDocument, ScannedMemory } from "./workspace/scan-memory.ts";
export { scanMemory } from "./workspace/scan-memory.ts";
export type { Bearer, Session, SessionRoot, SessionRootKind } from "./workspace/session.ts";
export {
  openSessionRecords,
  removeSessionState,
  type SessionRecord,
  type SessionRecords,
} from "./workspace/session-records.ts";
export type { SettingFlags } from "./workspace/setting-texts.ts";
export type { AdditionalPlace, ConfiguredFolder } from "./workspace/setting-types.ts";
export type { Setting } from "./workspace/settings/setting.ts";
export { withdrawnSetting } from "./workspace/settings/withdrawn-settings.ts";
export type { SettingFlagName, SettingKey, SettingValues, ToolSet } from "./workspace/settings.ts";
export { settingKeys, settingOf, shownValue, toolSets } from "./workspace/settings.ts";
export { createStderrLog } from "./workspace/stderr-log.ts";
export type { TokenScope } from "./workspace/token-scopes.ts";
export { parseTokenScope, toGrants } from "./workspace/token-scopes.ts";
export type { ListedToken, NewToken, Token, Tokens, UnreadableToken } from "./workspace/tokens.ts";
export { openTokens } from "./workspace/tokens.ts";
export type { Trust, TrustedFile } from "./workspace/trust.ts";
export { openTrust } from "./workspace/trust.ts";
export type { UserPlace } from "./workspace/user-folders.ts";
export {
  sessionLogsFolder,
  userCacheFolder,
  userDataFolder,
  userSettingsFile,
} from "./workspace/user-folders.ts";
export { createUserHash, type UserHash } from "./workspace/user-hash.ts";
export type { UserRecordsOptions } from "./workspace/user-records.ts";
export { withUserRecords } from "./workspace/user-records.ts";
export type { Verification, VerifyRequest } from "./workspace/verify-workspace.ts";
export type { ChangeListener, Workspace, WorkspaceOptions } from "./workspace/workspace.ts";
export { openWorkspace } from "./workspace/workspace.ts";
export type { MemorySync } from "./workspace/workspace-sync.ts";
