import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { editModes } from "../index.ts";
import { answer, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { MemoriesSession } from "./tool-options.ts";
import { toolOutput } from "./tool-output.ts";
import { onNote } from "./topic-files.ts";
import { writtenOutput, writtenWhere } from "./written.ts";

const input = toolInput({
  memory_name: z.string(),
  needle: z.string().describe("what to replace"),
  repl: z.string().describe("$!1 is the first group of a regex"),
  mode: z.enum(editModes).describe("regex: multi-line, the dot matches newlines"),
  allow_multiple_occurrences: z.boolean().optional(),
});
const output = writtenOutput.extend({ count: z.number() });

export function registerEditMemory(server: McpServer, { memories, changed, topicFiles }: MemoriesSession): void {
  server.registerTool(
    "edit_memory",
    {
      title: "Edit a memory",
      description: "Replace text in a note.",
      inputSchema: input,
      outputSchema: toolOutput(output),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    },
    ({ memory_name, needle, repl, mode, allow_multiple_occurrences = false }) =>
      answer(async () => {
        const edit = { needle, replacement: repl, mode, multiple: allow_multiple_occurrences };
        const edited = await onNote(memory_name, topicFiles, () => memories.edit(memory_name, edit));
        changed();
        const times = edited.count === 1 ? "" : `, ${edited.count} matches`;
        return toReply(`Memory ${edited.name} edited successfully${times}${writtenWhere(edited)}.`, { ...edited });
      }),
  );
}
