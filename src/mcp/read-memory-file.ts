import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { AgentSession } from "./agent-session.ts";
import { answer, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import { toolOutput } from "./tool-output.ts";

const input = toolInput({ relative_file_path: z.string().describe("path below your memory folder") });
const output = z.object({ content: z.string(), rev: z.string() });

export function registerReadMemoryFile(server: McpServer, { agentId, memory }: AgentSession): void {
  server.registerTool(
    "read_memory_file",
    {
      title: "Read a memory file",
      description: "Read one of your memory files, with its revision.",
      inputSchema: input,
      outputSchema: toolOutput(output),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ relative_file_path }) =>
      answer(async () => {
        const { content, rev } = await memory.readMemoryFileWithRev(agentId, relative_file_path);
        return toReply(content, { content, rev });
      }),
  );
}
