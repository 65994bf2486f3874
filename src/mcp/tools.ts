import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import type { ToolSet } from "../app.ts";
import { registerAppendMemory } from "./append-memory.ts";
import { registerAppendToMemoryFile } from "./append-to-memory-file.ts";
import { registerCreateTaskFile } from "./create-task-file.ts";
import { registerCreateTextFile } from "./create-text-file.ts";
import { registerDeleteMemory } from "./delete-memory.ts";
import { registerEditMemory } from "./edit-memory.ts";
import { registerListDir } from "./list-dir.ts";
import { registerListMemories } from "./list-memories.ts";
import { registerListMemoryFiles } from "./list-memory-files.ts";
import { registerLoadFromMemory } from "./load-from-memory.ts";
import { registerMemoryHistory } from "./memory-history.ts";
import { registerReadFile } from "./read-file.ts";
import { registerReadMemory } from "./read-memory.ts";
import { registerReadMemoryFile } from "./read-memory-file.ts";
import type { ToolPlaces } from "./reading.ts";
import { registerRecallContext } from "./recall-context.ts";
import { registerRenameMemory } from "./rename-memory.ts";
import { registerSearchMemory } from "./search-memory.ts";
import type { McpServerOptions } from "./server.ts";
import { registerStoreInMemory } from "./store-in-memory.ts";
import { registerWriteMemory } from "./write-memory.ts";
import { registerWriteMemoryFile } from "./write-memory-file.ts";

type Register<Session> = (server: McpServer, session: Session) => void;
type Tool = readonly [name: string, register: (server: McpServer) => void];

/** Each tool that is served, by its name, in the order in which they are listed. */
export function toolsOf(options: McpServerOptions): ReadonlyMap<string, Tool[1]> {
  const { memories, records, history, topics, search, files, bank, agent, watch } = options;
  const changed = watch?.changed ?? (() => {});
  return new Map([
    ...bound(memories && records && { memories, records, changed }, {
      list_memories: registerListMemories,
      read_memory: registerReadMemory,
      write_memory: registerWriteMemory,
      edit_memory: registerEditMemory,
      append_memory: registerAppendMemory,
      rename_memory: registerRenameMemory,
      delete_memory: registerDeleteMemory,
    }),
    ...bound(memories && history, {
      memory_history: (server, session) => registerMemoryHistory(server, session, changed),
    }),
    ...bound(topics, { store_in_memory: registerStoreInMemory, load_from_memory: registerLoadFromMemory }),
    ...bound(search, {
      search_memory: (server, session) => registerSearchMemory(server, session, placesOf(options)),
      recall_context: (server, session) => registerRecallContext(server, session, placesOf(options)),
    }),
    ...bound(files && { bank: files }, {
      read_file: registerReadFile,
      list_dir: registerListDir,
      create_text_file: registerCreateTextFile,
    }),
    ...bound(bank && { bank }, { create_task_file: registerCreateTaskFile }),
    ...bound(agent, {
      list_memory_files: registerListMemoryFiles,
      read_memory_file: registerReadMemoryFile,
      write_memory_file: registerWriteMemoryFile,
      append_to_memory_file: registerAppendToMemoryFile,
    }),
  ]);
}

/** By which tools that are served what was found can be read. */
export function placesOf({ memories, hasLessons = false, bankAreas }: McpServerOptions): ToolPlaces {
  const hasNotes = memories !== undefined;
  return { bank: bankAreas, hasNotes, hasLessons: hasNotes && hasLessons };
}

/** None where there is nothing for them to work on. */
function bound<Session>(session: Session | undefined, tools: Readonly<Record<string, Register<Session>>>): Tool[] {
  if (session === undefined) return [];
  return Object.entries(tools).map(([name, register]) => [name, (server) => register(server, session)]);
}

const toolsOfSets = {
  memories: [
    "list_memories",
    "read_memory",
    "write_memory",
    "edit_memory",
    "append_memory",
    "rename_memory",
    "delete_memory",
    "memory_history",
  ],
  topics: ["store_in_memory", "load_from_memory"],
  search: ["search_memory", "recall_context"],
  files: ["read_file", "list_dir", "create_text_file"],
  bank: ["create_task_file"],
  agent: ["list_memory_files", "read_memory_file", "write_memory_file", "append_to_memory_file"],
} as const satisfies Record<ToolSet, readonly string[]>;

/** What else a set needs. */
const needs: Partial<Record<string, string>> = {
  bank: ", and to set bank.memory_path",
  agent: ", and to set agent.id",
};

/** A model that knows a tool from elsewhere is told which setting serves it, instead of that there is none. */
export function answerUnserved({ server }: McpServer, served: ReadonlySet<string>): void {
  const handlers: unknown = Reflect.get(server, "_requestHandlers");
  if (!(handlers instanceof Map)) throw new TypeError("The MCP SDK keeps its request handlers elsewhere.");
  const call: unknown = handlers.get("tools/call");
  if (typeof call !== "function") return;
  handlers.set("tools/call", (request: { readonly params?: { readonly name?: string } }, ...rest: unknown[]) => {
    const name = request.params?.name ?? "";
    const unserved = served.has(name) ? undefined : toUnserved(name);
    return unserved ?? Reflect.apply(call, undefined, [request, ...rest]);
  });
}

function toUnserved(name: string): CallToolResult | undefined {
  const [set] = Object.entries(toolsOfSets).find(([, tools]) => tools.some((tool) => tool === name)) ?? [];
  if (set === undefined) return undefined;
  const text = `NOT_ALLOWED: ${name} is not served here. Ask the user to add “${set}” to the setting tools${needs[set] ?? ""}.`;
  return { content: [{ type: "text", text }], isError: true };
}
