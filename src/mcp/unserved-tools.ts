import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import type { ToolSet } from "../app.ts";

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
