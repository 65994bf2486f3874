/**
 * What programs use that embed Recollect: a workspace with the memory of a project, the files of one agent, and what
 * their methods take and give. Our own surfaces use `app.ts`, which is not part of the package's promise.
 */
export type { AgentFile, AgentFileEntry, AgentFileList, AgentMemory } from "./agents/agent-memory.ts";
export {
  AgentMemoryError,
  AgentMemoryFileNotFoundError,
  AgentNotFoundError,
  FileOperationError,
  InvalidPathError,
} from "./agents/errors.ts";
export type { Bank } from "./bank/bank.ts";
export type { Conflict, Expectation } from "./core/conflict.ts";
export type { DocumentPath, ExistingPath } from "./core/document-path.ts";
export { parseDocumentPath, parseExistingPath } from "./core/document-path.ts";
export type { Documents } from "./core/documents.ts";
export type { ErrorCode } from "./core/errors.ts";
export { errorCodes, isRecollectError, RecollectError } from "./core/errors.ts";
export type { Log } from "./core/log.ts";
export type { Rev } from "./core/revision.ts";
export type { Address, Outcome, Stamp, StoredDocument } from "./core/store.ts";
export type { LogPage, LogRequest, Operation as HistoryOperation } from "./history/root-history.ts";
export type { ListMemoriesRequest, MemoryEntry, MemoryPage } from "./memories/list-memories.ts";
export type { EditedMemory, Memories, ReadMemory, WrittenMemory } from "./memories/memories.ts";
export type { Records } from "./records/records.ts";
export type { Hit, Recalled, RecallRequest, Search, SearchPage, SearchRequest } from "./search/search.ts";
export type { LoadedEntries, LoadRequest, NewEntry, StoredEntry, Topics } from "./topics/topics.ts";
export type { AgentMemoryServiceOptions } from "./workspace/agent-memory-service.ts";
export { AgentMemoryService } from "./workspace/agent-memory-service.ts";
export type { Project } from "./workspace/find-project.ts";
export type { MemoryHistory } from "./workspace/open-history.ts";
export type { Bearer, Session, SessionRoot } from "./workspace/session.ts";
export type { ChangeListener, Workspace, WorkspaceOptions } from "./workspace/workspace.ts";
export { openWorkspace } from "./workspace/workspace.ts";
