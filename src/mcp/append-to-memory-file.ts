import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { AgentSession } from "./agent-session.ts";
import { answer, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";

const input = toolInput({
  relative_file_path: z.string().describe("path below your memory folder"),
  content: z.string().describe("added as it is: begin or end it with a newline where you want one"),
});
const output = z.object({ rev: z.string() });

export function registerAppendToMemoryFile(server: McpServer, { agentId, memory }: AgentSession): void {
  server.registerTool(
    "append_to_memory_file",
    {
      title: "Append to a memory file",
      description: "Add text to the end of one of your memory files, or create it. Safe beside other writers.",
      inputSchema: input,
      outputSchema: output,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    ({ relative_file_path, content }) =>
      answer(async () => {
        const rev = await memory.appendToMemoryFile(agentId, relative_file_path, content);
        return toReply(`Appended to ${relative_file_path} (rev ${rev}).`, { rev });
      }),
  );
}
