import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { AgentSession } from "./agent-session.ts";
import { expectationShape, toExpectation } from "./expectation.ts";
import { answer, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import { toolOutput } from "./tool-output.ts";

const input = toolInput({
  relative_file_path: z.string(),
  content: z.string(),
  ...expectationShape,
});
const output = z.object({ rev: z.string() });

export function registerWriteMemoryFile(server: McpServer, { agentId, memory }: AgentSession): void {
  server.registerTool(
    "write_memory_file",
    {
      title: "Write a memory file",
      description: "Create or replace one of your memory files.",
      inputSchema: input,
      outputSchema: toolOutput(output),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ relative_file_path, content, ...expected }) =>
      answer(async () => {
        const rev = await memory.writeMemoryFile(agentId, relative_file_path, content, toExpectation(expected));
        return toReply(`Wrote ${relative_file_path} (rev ${rev}).`, { rev });
      }),
  );
}
