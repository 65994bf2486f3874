import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { answer, textOutput, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { AgentSession } from "./tool-options.ts";

const input = toolInput({
  relative_file_path: z.string().describe("Below your folder"),
  content: z.string().describe("Added as it is"),
});

export function registerAppendToMemoryFile(server: McpServer, { agentId, memory }: AgentSession): void {
  server.registerTool(
    "append_to_memory_file",
    {
      title: "Append to a memory file",
      description: "Use when you add to one of your own files.",
      inputSchema: input,
      outputSchema: textOutput,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    ({ relative_file_path, content }) =>
      answer(async () => {
        const rev = await memory.appendToMemoryFile(agentId, relative_file_path, content);
        return toReply(`Appended to ${relative_file_path} (rev ${rev}).`, { rev });
      }),
  );
}
