import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { answer, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { MemoriesSession } from "./tool-options.ts";
import { toolOutput } from "./tool-output.ts";
import { writtenOutput, writtenWhere } from "./written.ts";

const input = toolInput({ memory_name: z.string(), content: z.string() });

export function registerAppendMemory(server: McpServer, { memories, changed }: MemoriesSession): void {
  server.registerTool(
    "append_memory",
    {
      title: "Append to a memory",
      description: "Add lines to the end of a note, or create it.",
      inputSchema: input,
      outputSchema: toolOutput(writtenOutput),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    ({ memory_name, content }) =>
      answer(async () => {
        const written = await memories.append(memory_name, content);
        changed();
        return toReply(`Appended to memory ${written.name}${writtenWhere(written)}.`, { ...written });
      }),
  );
}
