import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { answer, textOutput, toPartNote, toReply } from "./reply.ts";
import { lineRangeShape, toolInput, toRange } from "./tool-input.ts";
import type { MemoriesSession } from "./tool-options.ts";

const input = toolInput({ memory_name: z.string().describe("As printed, such as ci/cache"), ...lineRangeShape });

export function registerReadMemory(server: McpServer, { records }: MemoriesSession): void {
  server.registerTool(
    "read_memory",
    {
      title: "Read a memory",
      description: "Use when you have a name: reads that note or lesson.",
      inputSchema: input,
      outputSchema: textOutput,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ memory_name, ...range }) =>
      answer(async () => {
        const { content, ...details } = await records.read(memory_name, toRange(range));
        return toReply(content + toPartNote(details.part, details.name), details);
      }),
  );
}
