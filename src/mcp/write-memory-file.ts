import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { answer, textOutput, toReply } from "./reply.ts";
import { expectationShape, toExpectation, toolInput } from "./tool-input.ts";
import type { AgentSession } from "./tool-options.ts";

const input = toolInput({
  relative_file_path: z.string().describe("Below your folder"),
  content: z.string().describe("The whole file"),
  ...expectationShape,
});

export function registerWriteMemoryFile(server: McpServer, { agentId, memory }: AgentSession): void {
  server.registerTool(
    "write_memory_file",
    {
      title: "Write a memory file",
      description: "Use when you keep something for later runs. Replaces the file.",
      inputSchema: input,
      outputSchema: textOutput,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ relative_file_path, content, ...expected }) =>
      answer(async () => {
        const rev = await memory.writeMemoryFile(agentId, relative_file_path, content, toExpectation(expected));
        return toReply(`Wrote ${relative_file_path} (rev ${rev}).`, { rev });
      }),
  );
}
