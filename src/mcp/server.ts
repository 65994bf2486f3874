import { McpServer, type ServerContext } from "@modelcontextprotocol/server";
import type { Bank, Memories, Records } from "../app.ts";
import { toInstructions } from "./instructions.ts";
import { type OnListen, registerMemoryResources } from "./memory-resources.ts";
import type { MemoryWatch } from "./memory-watch.ts";
import { registerRecallPrompt } from "./prompts/recall.ts";
import { registerReviewTopicPrompt } from "./prompts/review-topic.ts";
import { registerStoreLearnedPrompt } from "./prompts/store-learned.ts";
import type { BankPlaces } from "./reading.ts";
import { registerSkills } from "./skills.ts";
import type { AgentSession, HistorySession, SearchSession, TopicsSession } from "./tool-options.ts";
import { answerUnserved, placesOf, toolsOf } from "./tools.ts";

/** Called for each request that a server works on; it begins the work, and gives back what came of it. */
type AroundWork = <T>(work: () => Promise<T>) => Promise<T>;

/** What a server offers; what is left out has no tools. */
export interface McpServerOptions {
  readonly version: string;
  readonly memories?: Memories | undefined;
  /** The memories and the lessons by name; there where memories are. */
  readonly records?: Records | undefined;
  /** Whether lessons are among them. */
  readonly hasLessons?: boolean;
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
  /** The only tool that will be called; without it there is everything. A server over HTTP is made for each request. */
  readonly tool?: string | undefined;
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

export async function createMcpServer(options: McpServerOptions): Promise<McpServer> {
  const { version, memories, search, saysWhatThereIs = true, fixtures } = options;
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
  const tools = toolsOf(options);
  const alone = options.tool === undefined ? undefined : tools.get(options.tool);
  if (alone) alone(server);
  else {
    registerAll(server, tools, options);
    // Skills are resources, which come with the memories.
    if (memories) await registerSkills(server);
  }
  answerUnserved(server, new Set(tools.keys()));
  if (options.around) workInside(server, options.around);
  return server;
}

function registerAll(server: McpServer, tools: ReturnType<typeof toolsOf>, options: McpServerOptions): void {
  const { memories, search, topics, onListen, watch, isForOneRequest = false } = options;
  if (memories) registerMemoryResources(server, { memories, onListen, watch: isForOneRequest ? undefined : watch });
  for (const register of tools.values()) register(server);
  if (search) registerRecallPrompt(server, search, placesOf(options));
  if (search && topics && memories) {
    registerStoreLearnedPrompt(server);
    registerReviewTopicPrompt(server);
  }
  options.fixtures?.add(server);
}

function instructionsOf({
  memories,
  topics,
  search,
  bankAreas,
  agent,
  warnings = [],
}: McpServerOptions): Promise<string> {
  const canSearch = search !== undefined;
  return toInstructions({ memories, topics, canSearch, bank: bankAreas, agentId: agent?.agentId, warnings });
}

/**
 * Has everything that is registered so far worked on inside `around`. The protocol does not tell when work has ended: a
 * call that was cancelled, or whose client has gone, is worked on to its end all the same. The SDK has no way in for
 * this, hence its own table of handlers; without it nothing would be counted, so that is no server at all.
 */
function workInside({ server }: McpServer, around: AroundWork): void {
  const handlers: unknown = Reflect.get(server, "_requestHandlers");
  if (!(handlers instanceof Map)) throw new TypeError("The MCP SDK keeps its request handlers elsewhere.");
  for (const [method, handler] of [...handlers]) {
    handlers.set(method, (...given: unknown[]) => around(async () => Reflect.apply(handler, undefined, given)));
  }
}
