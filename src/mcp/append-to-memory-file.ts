import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { AgentSession } from "./agent-session.ts";
import { answer, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import { toolOutput } from "./tool-output.ts";

const input = toolInput({
  relative_file_path: z.string(),
  content: z.string().describe("added as it is, without a newline"),
});
const output = z.object({ rev: z.string() });

export function registerAppendToMemoryFile(server: McpServer, { agentId, memory }: AgentSession): void {
  server.registerTool(
    "append_to_memory_file",
    {
      title: "Append to a memory file",
      description: "Add text to the end of one of your memory files, or create it.",
      inputSchema: input,
      outputSchema: toolOutput(output),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    ({ relative_file_path, content }) =>
      answer(async () => {
        const rev = await memory.appendToMemoryFile(agentId, relative_file_path, content);
        return toReply(`Appended to ${relative_file_path} (rev ${rev}).`, { rev });
      }),
  );
}
