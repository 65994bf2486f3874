import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { answer, textOutput, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { AgentSession } from "./tool-options.ts";

const input = toolInput({ relative_file_path: z.string().describe("Below your folder") });

export function registerReadMemoryFile(server: McpServer, { agentId, memory }: AgentSession): void {
  server.registerTool(
    "read_memory_file",
    {
      title: "Read a memory file",
      description: "Use when you need one of your own files.",
      inputSchema: input,
      outputSchema: textOutput,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ relative_file_path }) =>
      answer(async () => {
        const { content, rev } = await memory.readMemoryFileWithRev(agentId, relative_file_path);
        return toReply(content, { rev });
      }),
  );
}
