import { type ErrorCode, RecollectError } from "../../kernel/errors.ts";
import { agentRoot } from "./agent-root.ts";

/** Everything that an agent memory throws. `code` is the kernel's own, so that callers need not know classes. */
export class AgentMemoryError extends RecollectError {}

/** The agent's folder cannot be made or opened. */
export class AgentNotFoundError extends AgentMemoryError {}

/** The agent has no such file. */
export class AgentMemoryFileNotFoundError extends AgentMemoryError {}

/** The agent id or the path is not acceptable, or leads to something that is not a document. */
export class InvalidPathError extends AgentMemoryError {}

/** Anything else: a conflict, a full disk, a missing permission. */
export class FileOperationError extends AgentMemoryError {}

const invalidPathCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["INVALID_PATH", "NOT_A_DOCUMENT"]);

/** The seed's error for what the kernel threw while working for this agent. */
export function toAgentError(error: unknown, agentId: string): unknown {
  if (!(error instanceof RecollectError) || error instanceof AgentMemoryError) return error;
  const { code, message, data } = error;
  const options = { data: { ...data, agentId }, cause: error };
  if (isFolderOfAgent(data["folder"], agentId)) return new AgentNotFoundError(code, message, options);
  if (invalidPathCodes.has(code)) return new InvalidPathError(code, message, options);
  return new FileOperationError(code, message, options);
}

/**
 * `data.folder` is on errors about a folder that cannot be opened or made: its path inside the root, or the
 * root's name. The agent's own and the one of all agents are the agent; one below, `agent/notes`, is a path.
 */
function isFolderOfAgent(folder: unknown, agentId: string): boolean {
  return folder === agentId || folder === agentRoot;
}
