import { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Bank, Memories } from "../index.ts";
import type { AgentSession } from "./agent-session.ts";
import { registerAppendMemory } from "./append-memory.ts";
import { registerAppendToMemoryFile } from "./append-to-memory-file.ts";
import { registerCreateTaskFile } from "./create-task-file.ts";
import { registerCreateTextFile } from "./create-text-file.ts";
import { registerDeleteMemory } from "./delete-memory.ts";
import { registerEditMemory } from "./edit-memory.ts";
import { toInstructions } from "./instructions.ts";
import { registerListDir } from "./list-dir.ts";
import { registerListMemories } from "./list-memories.ts";
import { registerListMemoryFiles } from "./list-memory-files.ts";
import { registerLoadFromMemory } from "./load-from-memory.ts";
import { registerMemoryHistory } from "./memory-history.ts";
import { type OnListen, registerMemoryResources } from "./memory-resources.ts";
import { registerRecallPrompt } from "./prompts/recall.ts";
import { registerReviewTopicPrompt } from "./prompts/review-topic.ts";
import { registerStoreLearnedPrompt } from "./prompts/store-learned.ts";
import { registerReadFile } from "./read-file.ts";
import { registerReadMemory } from "./read-memory.ts";
import { registerReadMemoryFile } from "./read-memory-file.ts";
import { registerRecallContext } from "./recall-context.ts";
import { registerRenameMemory } from "./rename-memory.ts";
import { registerSearchMemory } from "./search-memory.ts";
import { registerStoreInMemory } from "./store-in-memory.ts";
import type { HistorySession, SearchSession, TopicsSession } from "./tool-options.ts";
import { registerWriteMemory } from "./write-memory.ts";
import { registerWriteMemoryFile } from "./write-memory-file.ts";

/** What a server offers; what is left out has no tools. */
export interface McpServerOptions {
  readonly version: string;
  readonly memories?: Memories | undefined;
  /** What the memories were; served with them. */
  readonly history?: HistorySession | undefined;
  readonly topics?: TopicsSession | undefined;
  readonly search?: SearchSession | undefined;
  /** The files of the project and of its bank. */
  readonly files?: Bank | undefined;
  /** The bank, for task files, and the absolute paths of its areas. */
  readonly bank?: Bank | undefined;
  readonly bankAreas?: { readonly project: string; readonly templates: string } | undefined;
  readonly agent?: AgentSession | undefined;
  readonly warnings?: readonly string[];
  /** Tells what a client of the era without subscriptions of its own listens for. */
  readonly onListen?: OnListen;
}

// Compiling a checker for each schema costs more at the start than it saves on the few calls of a session.
z.config({ jitless: true });

export async function createMcpServer(options: McpServerOptions): Promise<McpServer> {
  const { version, memories, topics, search, files, bank, bankAreas, agent, warnings = [] } = options;
  const server = new McpServer(
    { name: "recollect", version },
    {
      capabilities: {
        tools: {},
        ...(search ? { prompts: {} } : {}),
        ...(memories ? { resources: { listChanged: true, subscribe: true } } : {}),
      },
      instructions: await toInstructions({
        memories,
        canSearch: search !== undefined,
        bank: bankAreas,
        agentId: agent?.agentId,
        warnings,
      }),
    },
  );
  if (memories) registerMemories(server, memories, options);
  if (topics) {
    registerStoreInMemory(server, topics);
    registerLoadFromMemory(server, topics);
  }
  if (search) {
    registerSearchMemory(server, search, bankAreas);
    registerRecallContext(server, search);
    registerRecallPrompt(server, search);
  }
  if (search && topics && memories) {
    registerStoreLearnedPrompt(server);
    registerReviewTopicPrompt(server);
  }
  if (files) {
    for (const register of [registerReadFile, registerListDir, registerCreateTextFile])
      register(server, { bank: files });
  }
  if (bank) registerCreateTaskFile(server, { bank });
  if (agent) {
    registerListMemoryFiles(server, agent);
    registerReadMemoryFile(server, agent);
    registerWriteMemoryFile(server, agent);
    registerAppendToMemoryFile(server, agent);
  }
  return server;
}

function registerMemories(server: McpServer, memories: Memories, { onListen, history }: McpServerOptions): void {
  const { changed } = registerMemoryResources(server, { memories, onListen });
  const session = { memories, changed };
  registerListMemories(server, session);
  registerReadMemory(server, session);
  registerWriteMemory(server, session);
  registerEditMemory(server, session);
  registerAppendMemory(server, session);
  registerRenameMemory(server, session);
  registerDeleteMemory(server, session);
  if (history) registerMemoryHistory(server, history, changed);
}
