/** The public surface: everything that the command line, the MCP server and other programs may use. */
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
export type { Conflict, Expectation } from "./core/conflict.ts";
export { parseExpectation } from "./core/conflict.ts";
export type { DocumentPath, ExistingPath } from "./core/document-path.ts";
export { comparePaths, parseDocumentPath, parseExistingPath } from "./core/document-path.ts";
export type { ChangeResult, Documents, Limits, MountedRoot } from "./core/documents.ts";
export { createDocuments, defaultLimits } from "./core/documents.ts";
export type { ErrorCode } from "./core/errors.ts";
export { errorCodes, isRecollectError, RecollectError } from "./core/errors.ts";
export type { Log, LogLevel } from "./core/log.ts";
export { logLevels } from "./core/log.ts";
export type { Rev } from "./core/revision.ts";
export { isRev, revisionOf } from "./core/revision.ts";
export type { Operation, RootPolicy } from "./core/root-policy.ts";
export { fullAccess, operations, readOnly } from "./core/root-policy.ts";
export type {
  Address,
  Change,
  ChangeKind,
  ChangePage,
  ChangeRecord,
  Committed,
  Current,
  Cursor,
  ListEntry,
  ListPage,
  ListRequest,
  Outcome,
  Planning,
  RecoveryReport,
  RefusalOf,
  Stamp,
  Store,
  StoredDocument,
} from "./core/store.ts";
export type { FilesStoreOptions } from "./stores/files/files-store.ts";
export { openFilesStore } from "./stores/files/files-store.ts";
export type { AgentMemoryServiceOptions } from "./workspace/agent-memory-service.ts";
export { AgentMemoryService } from "./workspace/agent-memory-service.ts";
export { defaultDataFolder } from "./workspace/default-folders.ts";
export { createStderrLog } from "./workspace/stderr-log.ts";
