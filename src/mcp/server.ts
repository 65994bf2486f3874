import { McpServer, type ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Bank, Memories } from "../index.ts";
import type { AgentSession } from "./agent-session.ts";
import { registerAppendMemory } from "./append-memory.ts";
import { registerAppendToMemoryFile } from "./append-to-memory-file.ts";
import { type AroundWork, workInside } from "./around-work.ts";
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
import type { MemoryWatch } from "./memory-watch.ts";
import { registerRecallPrompt } from "./prompts/recall.ts";
import { registerReviewTopicPrompt } from "./prompts/review-topic.ts";
import { registerStoreLearnedPrompt } from "./prompts/store-learned.ts";
import { registerReadFile } from "./read-file.ts";
import { registerReadMemory } from "./read-memory.ts";
import { registerReadMemoryFile } from "./read-memory-file.ts";
import type { BankPlaces } from "./reading.ts";
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
  readonly bankAreas?: BankPlaces | undefined;
  readonly agent?: AgentSession | undefined;
  readonly warnings?: readonly string[];
  /** Tells what a client of the era without subscriptions of its own listens for. */
  readonly onListen?: OnListen;
  /** Notices what changes in the memories; without it nobody is told. */
  readonly watch?: MemoryWatch | undefined;
  /** For one request alone: it tells its client nothing afterwards. */
  readonly isForOneRequest?: boolean;
  /** Whether somebody will ask what there is: that looks at all memories. */
  readonly saysWhatThereIs?: boolean;
  readonly fixtures?: McpFixtures | undefined;
  /** Told of all work, for who has to know when it ends. */
  readonly around?: AroundWork | undefined;
}

/** What the protocol's own conformance suite needs beside our tools. */
export interface McpFixtures {
  add(server: McpServer): void;
  /** Checks what a tool of its own gave a client to bring back. */
  verifyState(state: string, context: ServerContext): Promise<unknown>;
}

// Compiling a checker for each schema costs more at the start than it saves on the few calls of a session.
z.config({ jitless: true });

export async function createMcpServer(options: McpServerOptions): Promise<McpServer> {
  const { version, memories, topics, search, files, bank, bankAreas, agent } = options;
  const { saysWhatThereIs = true, fixtures } = options;
  const server = new McpServer(
    { name: "recollect", version },
    {
      capabilities: {
        // Both are as they are for as long as a server runs.
        tools: { listChanged: false },
        ...(search ? { prompts: { listChanged: false } } : {}),
        ...(memories ? { resources: { listChanged: true, subscribe: true } } : {}),
      },
      ...(saysWhatThereIs ? { instructions: await instructionsOf(options) } : {}),
      ...(fixtures ? { requestState: { verify: fixtures.verifyState } } : {}),
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
  fixtures?.add(server);
  if (options.around) workInside(server, options.around);
  return server;
}

function instructionsOf({ memories, search, bankAreas, agent, warnings = [] }: McpServerOptions): Promise<string> {
  const canSearch = search !== undefined;
  return toInstructions({ memories, canSearch, bank: bankAreas, agentId: agent?.agentId, warnings });
}

function registerMemories(server: McpServer, memories: Memories, options: McpServerOptions): void {
  const { onListen, history, watch, isForOneRequest = false } = options;
  registerMemoryResources(server, { memories, onListen, watch: isForOneRequest ? undefined : watch });
  const changed = () => watch?.changed();
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
