import type { ClientName } from "./clients.ts";
import type { Json, JsonPath } from "./json-tree.ts";
import { serverName } from "./server-entry.ts";

/** The tools that read or add and never take anything away: those whose annotations say so (a test compares them). */
export const allowedTools = [
  "search_memory",
  "recall_context",
  "list_memories",
  "read_memory",
  "load_from_memory",
  "store_in_memory",
  "append_memory",
  "read_file",
  "list_dir",
  "create_task_file",
  "read_memory_file",
  "list_memory_files",
  "append_to_memory_file",
] as const;

/** Those that replace or delete: clients that ask for nothing by themselves are told to ask for these. */
export const askedTools = [
  "write_memory",
  "edit_memory",
  "rename_memory",
  "delete_memory",
  "memory_history",
  "create_text_file",
  "write_memory_file",
] as const;

/** How a client is told which of our tools it may call without asking. */
export type Permission =
  /** Words in a list. */
  | { readonly kind: "words"; readonly path: JsonPath; readonly words: readonly string[] }
  /** Values under one key. */
  | {
      readonly kind: "values";
      readonly path: JsonPath;
      readonly values: readonly (readonly [key: string, value: Json])[];
    }
  /** Lines of a TOML table. */
  | { readonly kind: "table"; readonly path: readonly string[]; readonly tools: readonly string[] }
  /** A file of its own. */
  | { readonly kind: "file"; readonly text: string };

export function permissionOf(client: ClientName): Permission | undefined {
  switch (client) {
    case "claude-code":
      return {
        kind: "words",
        path: ["permissions", "allow"],
        words: allowedTools.map((tool) => `mcp__${serverName}__${tool}`),
      };
    case "codex":
      return { kind: "table", path: ["mcp_servers", serverName, "tools"], tools: allowedTools };
    case "gemini-cli":
      return { kind: "file", text: geminiPolicy };
    case "opencode":
      // It calls every tool without asking unless it is told otherwise; of several rules, the last one holds.
      return {
        kind: "values",
        path: ["permission"],
        values: [
          ...allowedTools.map((tool) => [`${serverName}_${tool}`, "allow"] as const),
          ...askedTools.map((tool) => [`${serverName}_${tool}`, "ask"] as const),
        ],
      };
    default:
      return undefined;
  }
}

const geminiPolicy = `# Written by recollect init: Gemini CLI may call the tools of Recollect that read and add without asking.
# It asks before it calls those that replace or delete. recollect uninstall removes this file.
[[rule]]
mcpName = "${serverName}"
toolName = [
${allowedTools.map((tool) => `  "${tool}",`).join("\n")}
]
decision = "allow"
priority = 100
`;
