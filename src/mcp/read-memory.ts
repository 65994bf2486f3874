import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { lineRangeShape, partOutput, toPartNote, toRange } from "./line-range.ts";
import { answer, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { MemoriesSession } from "./tool-options.ts";
import { toolOutput } from "./tool-output.ts";
import { readNoteOrTopicFile } from "./topic-files.ts";

const input = toolInput({ memory_name: z.string(), ...lineRangeShape });
const output = z.object({
  name: z.string(),
  folder: z.string(),
  content: z.string(),
  rev: z.string(),
  part: partOutput,
});

export function registerReadMemory(server: McpServer, { memories, topicFiles }: MemoriesSession): void {
  server.registerTool(
    "read_memory",
    {
      title: "Read a memory",
      description: "Read a note, or what search found.",
      inputSchema: input,
      outputSchema: toolOutput(output),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ memory_name, ...range }) =>
      answer(async () => {
        const { part, ...memory } = await readNoteOrTopicFile(memory_name, toRange(range), { memories, topicFiles });
        return toReply(memory.content + toPartNote(part), { ...memory, ...(part ? { part } : {}) });
      }),
  );
}
