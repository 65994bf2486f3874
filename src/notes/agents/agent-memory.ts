import { conflictError, type Expectation } from "../../kernel/conflict.ts";
import { type DocumentPath, inFolder, parseDocumentPath } from "../../kernel/document-path.ts";
import type { ChangeResult, Documents } from "../../kernel/documents.ts";
import { RecollectError } from "../../kernel/errors.ts";
import { type Log, type LogLevel, noLog } from "../../kernel/log.ts";
import type { Rev } from "../../kernel/revision.ts";
import type { Address, RecoveryReport } from "../../kernel/store.ts";
import { parseAgentId } from "./agent-id.ts";
import { agentRoot } from "./agent-root.ts";
import { AgentMemoryFileNotFoundError, InvalidPathError, toAgentError } from "./errors.ts";

/** A file of an agent, as it was read. */
export interface AgentFile {
  readonly content: string;
  readonly rev: Rev;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** A file of an agent in a list. */
export interface AgentFileEntry {
  readonly path: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly rev: Rev | undefined;
  /** Why it cannot be read as it is. */
  readonly remark?: string;
}

/** One page of an agent's files. */
export interface AgentFileList {
  readonly files: readonly AgentFileEntry[];
  /** Pass it as `after` for the next page; undefined at the end. */
  readonly next: string | undefined;
}

/** The memory of agents: a folder for each, and no way from one into another (AGT-4). */
export interface AgentMemory {
  read(agentId: string, path: string): Promise<AgentFile>;
  write(agentId: string, path: string, content: string, expected?: Expectation): Promise<Rev>;
  append(agentId: string, path: string, content: string, expected?: Expectation): Promise<Rev>;
  list(agentId: string, page?: { after?: string; limit?: number }): Promise<AgentFileList>;
  /** Sweeps the agent's folders for what killed processes left; see `Store.recover`. */
  recover(agentId: string): Promise<RecoveryReport>;
}

export function createAgentMemory(options: { documents: Documents; log?: Log }): AgentMemory {
  const { documents } = options;
  const log = options.log ?? noLog;

  /** One place for the id check, the translation of errors and the log line of every operation (AGT-6). */
  async function forAgent<Result>(
    operation: string,
    agentId: string,
    path: string | undefined,
    run: (folder: DocumentPath) => Promise<Result>,
  ): Promise<Result> {
    let agent: { readonly agent?: string } = {};
    const place = path === undefined ? {} : { path };
    try {
      const folder = parseAgentId(agentId);
      agent = { agent: agentId };
      const result = await run(folder);
      log("info", `agent memory ${operation}`, { ...agent, ...place });
      return result;
    } catch (error) {
      const translated = toAgentError(error, agentId);
      const told = mayBeSecret(translated) ? agent : { ...agent, ...place };
      log(levelOf(translated), `agent memory ${operation} failed`, { ...told, ...describe(translated) });
      throw translated;
    }
  }

  const stamp = (agentId: string) => ({ author: `agent:${agentId}` });

  return {
    read: (agentId, path) =>
      forAgent("read", agentId, path, async (folder) => {
        const file = await documents.read(addressOf(folder, path));
        if (file) return { content: file.content, rev: file.rev, modified: file.modified };
        throw new AgentMemoryFileNotFoundError("NOT_FOUND", `The agent has no file “${parseDocumentPath(path)}”.`, {
          data: { agentId, path },
        });
      }),
    write: (agentId, path, content, expected) =>
      forAgent("write", agentId, path, async (folder) =>
        revOf(await documents.write(addressOf(folder, path), content, stamp(agentId), expected), path, expected),
      ),
    append: (agentId, path, content, expected) =>
      forAgent("append", agentId, path, async (folder) =>
        revOf(await documents.append(addressOf(folder, path), content, stamp(agentId), expected), path, expected),
      ),
    recover: (agentId) =>
      forAgent("recovery", agentId, undefined, (folder) => documents.recover({ root: agentRoot, folder })),
    list: (agentId, page = {}) =>
      forAgent("list", agentId, undefined, async (folder) => {
        const prefix = `${folder}/`;
        const { entries, next } = await documents.list({
          root: agentRoot,
          folder,
          details: true,
          ...(page.limit === undefined ? {} : { limit: page.limit }),
          ...(page.after === undefined ? {} : { after: prefix + page.after }),
        });
        const files = entries.map(({ path, remark, details }) => ({
          path: path.slice(prefix.length),
          size: details?.size ?? 0,
          modified: details?.modified ?? 0,
          rev: details?.rev,
          ...(remark === undefined ? {} : { remark }),
        }));
        return { files, next: next?.slice(prefix.length) };
      }),
  };
}

function addressOf(folder: DocumentPath, path: string): Address<DocumentPath> {
  return { root: agentRoot, path: inFolder(folder, parseDocumentPath(path)) };
}

function revOf(result: ChangeResult, path: string, expected: Expectation | undefined): Rev {
  if (result.kind === "conflict")
    throw conflictError({ ...result, at: { root: agentRoot, path: parseDocumentPath(path) } }, expected);
  if (!result.outcome.rev) throw new Error("a written document has a revision");
  return result.outcome.rev;
}

/** What was refused as a secret may stand in the path, and a path that is none was never looked at by the guard. */
function mayBeSecret(error: unknown): boolean {
  return error instanceof RecollectError && ["SENSITIVE_CONTENT", "INVALID_PATH"].includes(error.code);
}

/** A missing file is an answer, and a refused path or a lost compare-and-set the caller's to mend: no failure of ours. */
function levelOf(error: unknown): LogLevel {
  if (error instanceof AgentMemoryFileNotFoundError) return "info";
  if (error instanceof InvalidPathError) return "warning";
  return error instanceof RecollectError && error.code === "CONFLICT" ? "warning" : "error";
}

function describe(error: unknown): Record<string, unknown> {
  return error instanceof Error && "code" in error
    ? { code: error.code, message: error.message }
    : { message: String(error) };
}
