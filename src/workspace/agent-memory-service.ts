import { resolve } from "node:path";
import { openFilesStore } from "../backends/files/store.ts";
import type { Expectation } from "../kernel/conflict.ts";
import type { ContentGuard } from "../kernel/content-guard.ts";
import { createDocuments, type Limits } from "../kernel/documents.ts";
import { RecollectError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { Rev } from "../kernel/revision.ts";
import { fullAccess, type RootPolicy } from "../kernel/root-policy.ts";
import type { Outcome, RecoveryReport, Store } from "../kernel/store.ts";
import {
  type AgentFile,
  type AgentFileList,
  type AgentMemory,
  createAgentMemory,
} from "../notes/agents/agent-memory.ts";
import { agentRoot } from "../notes/agents/agent-root.ts";
import { createContentGuard } from "./content-guard.ts";
import { createStderrLog } from "./stderr-log.ts";

/** Settings of the files of agents, beside their folder. */
export interface AgentMemoryServiceOptions {
  /** Where log lines go; by default warnings and errors as JSON lines on stderr. */
  readonly log?: Log;
  readonly limits?: Partial<Limits>;
  /** What may be stored; by default the guard of policy `standard`, with nothing allowed. */
  readonly guard?: () => Promise<ContentGuard>;
  /** How long to wait for another process that holds a folder, before BUSY. */
  readonly lockTimeoutMs?: number;
  /** What may be done with the files; by default everything. */
  readonly policy?: RootPolicy;
  /** Where they are kept, where others use it too: it is not closed with this then. */
  readonly store?: Store;
  /** Told of what was changed. */
  readonly committed?: (outcomes: readonly Outcome[]) => void;
}

/**
 * An isolated memory for each agent instance, in `{appCacheDir}/agent_memory/{agentId}/`.
 *
 * ```ts
 * const memory = new AgentMemoryService("/var/lib/my-app");
 * await memory.writeMemoryFile("agent-1", "notes/build.md", "Run the tests first.\n");
 * await memory.readMemoryFile("agent-1", "notes/build.md");
 * ```
 */
export class AgentMemoryService {
  readonly #memory: AgentMemory;
  readonly #ownStore: Store | undefined;

  constructor(appCacheDir: string, options: AgentMemoryServiceOptions = {}) {
    if (appCacheDir === "" || appCacheDir.includes("\0")) {
      throw new RecollectError("INVALID_ARGUMENT", "Give the folder that holds the memory of all agents.");
    }
    const log = options.log ?? createStderrLog({ level: "warning" });
    const store = options.store ?? openAgentStore(appCacheDir, options);
    this.#ownStore = options.store ? undefined : store;
    const documents = createDocuments({
      roots: [{ name: agentRoot, policy: options.policy ?? fullAccess, store }],
      committed: options.committed,
      ...(options.limits ? { limits: options.limits } : {}),
      guard: options.guard ?? createContentGuard({ policy: "standard", allowed: () => new Set(), log }),
    });
    this.#memory = createAgentMemory({ documents, log });
  }

  /** The text of a file. Reading creates nothing, neither a file nor the agent's folder. */
  async readMemoryFile(agentId: string, path: string): Promise<string> {
    return (await this.#memory.read(agentId, path)).content;
  }

  /** The text with its revision, to be given as `ifRev` to a later write. */
  readMemoryFileWithRev(agentId: string, path: string): Promise<AgentFile> {
    return this.#memory.read(agentId, path);
  }

  /** Creates or replaces a file. When this returns, a power cut cannot take it back. */
  writeMemoryFile(agentId: string, path: string, content: string, expected?: Expectation): Promise<Rev> {
    return this.#memory.write(agentId, path, content, expected);
  }

  /** Adds to the end of a file as one operation, whoever else appends at the same time. */
  appendToMemoryFile(agentId: string, path: string, content: string, expected?: Expectation): Promise<Rev> {
    return this.#memory.append(agentId, path, content, expected);
  }

  listMemoryFiles(agentId: string, page?: { after?: string; limit?: number }): Promise<AgentFileList> {
    return this.#memory.list(agentId, page);
  }

  /** Takes away what killed processes left in the agent's folders, and ends what they had decided. */
  recover(agentId: string): Promise<RecoveryReport> {
    return this.#memory.recover(agentId);
  }

  /** Lets go of files and locks. */
  async close(): Promise<void> {
    await this.#ownStore?.close();
  }
}

/** What keeps the files of all agents. */
function openAgentStore(appCacheDir: string, { lockTimeoutMs }: AgentMemoryServiceOptions): Store {
  return openFilesStore({
    // Marked as theirs, so that no other store reaches into it.
    roots: [{ name: agentRoot, folder: resolve(appCacheDir, agentRoot), seals: () => {} }],
    now: Date.now,
    // Agents have no history: what they wrote over would lie there for ever.
    isFollowed: false,
    ...(lockTimeoutMs === undefined ? {} : { lockTimeoutMs }),
  });
}
