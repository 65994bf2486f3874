/**
 * What programs use that embed Recollect: a workspace with the memory of a project, the files of one agent, and what
 * their methods take and give. Our own surfaces use `app.ts`, which is not part of the package's promise.
 */

export type { MemoryHistory } from "./history/service/view-history.ts";
export type { Conflict, Expectation } from "./kernel/conflict.ts";
export type { DocumentPath, ExistingPath } from "./kernel/document-path.ts";
export { parseDocumentPath, parseExistingPath } from "./kernel/document-path.ts";
export type { Documents } from "./kernel/documents.ts";
export type { ErrorCode } from "./kernel/errors.ts";
export { errorCodes, isRecollectError, RecollectError } from "./kernel/errors.ts";
export type { Log } from "./kernel/log.ts";
export type { Rev } from "./kernel/revision.ts";
export type { LogPage, LogRequest, Operation as HistoryOperation } from "./kernel/root-history.ts";
export type { Address, Outcome, Stamp, StoredDocument } from "./kernel/store.ts";
export type { AgentFile, AgentFileEntry, AgentFileList, AgentMemory } from "./notes/agents/agent-memory.ts";
export {
  AgentMemoryError,
  AgentMemoryFileNotFoundError,
  AgentNotFoundError,
  FileOperationError,
  InvalidPathError,
} from "./notes/agents/errors.ts";
export type { Bank } from "./notes/bank/bank.ts";
export type { ListMemoriesRequest, MemoryEntry, MemoryPage } from "./notes/memories/list-memories.ts";
export type { EditedMemory, Memories, ReadMemory, WrittenMemory } from "./notes/memories/memories.ts";
export type { Records } from "./notes/records/records.ts";
export type { LoadedEntries, LoadRequest, NewEntry, StoredEntry, Topics } from "./notes/topics/topics.ts";
export type { Hit, Recalled, RecallRequest, Search, SearchPage, SearchRequest } from "./search/search.ts";
export type { Project } from "./settings/find-project.ts";
export type { AgentMemoryServiceOptions } from "./workspace/agent-memory-service.ts";
export { AgentMemoryService } from "./workspace/agent-memory-service.ts";
export type { Bearer, Session, SessionRoot } from "./workspace/session.ts";
export type { ChangeListener, Workspace, WorkspaceOptions } from "./workspace/workspace.ts";
export { openWorkspace } from "./workspace/workspace.ts";
