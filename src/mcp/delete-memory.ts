import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { answer, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { MemoriesSession } from "./tool-options.ts";
import { toolOutput } from "./tool-output.ts";
import { onNote } from "./topic-files.ts";

const input = toolInput({ memory_name: z.string() });
const output = z.object({ name: z.string(), folder: z.string(), uncovered: z.string().optional() });

export function registerDeleteMemory(server: McpServer, { memories, changed, topicFiles }: MemoriesSession): void {
  server.registerTool(
    "delete_memory",
    {
      title: "Delete a memory",
      description: "Delete a note. Only where the user asked for it.",
      inputSchema: input,
      outputSchema: toolOutput(output),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    },
    ({ memory_name }) =>
      answer(async () => {
        const { name, folder, uncovered } = await onNote(memory_name, topicFiles, () => memories.delete(memory_name));
        changed();
        const now = uncovered === undefined ? "" : ` The one of the same name in ${uncovered} shows now.`;
        return toReply(`Memory ${name} deleted from ${folder}.${now}`, {
          name,
          folder,
          ...(uncovered === undefined ? {} : { uncovered }),
        });
      }),
  );
}
