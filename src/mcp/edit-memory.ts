import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { editModes } from "../app.ts";
import { answer, textOutput, toReply, writtenWhere } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { MemoriesSession } from "./tool-options.ts";

const input = toolInput({
  memory_name: z.string().describe("As printed"),
  needle: z.string().describe("Text to replace"),
  repl: z.string().describe("Its replacement; $!1 is a regex group"),
  mode: z.enum(editModes).describe("How needle is read"),
  allow_multiple_occurrences: z.boolean().optional().describe("Replace every match"),
});

export function registerEditMemory(server: McpServer, { records, changed }: MemoriesSession): void {
  server.registerTool(
    "edit_memory",
    {
      title: "Edit a memory",
      description: "Use when part of a note or lesson is wrong or out of date.",
      inputSchema: input,
      outputSchema: textOutput,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    },
    ({ memory_name, needle, repl, mode, allow_multiple_occurrences = false }) =>
      answer(async () => {
        const edit = { needle, replacement: repl, mode, multiple: allow_multiple_occurrences };
        const edited = await records.edit(memory_name, edit);
        changed();
        const times = edited.count === 1 ? "" : `, ${edited.count} matches`;
        const { hides, ...details } = edited;
        const hidden = hides === undefined ? "" : ` ${hides} is read-only: this corrected copy hides the note there.`;
        const says = `Memory ${edited.name} edited successfully${times}${writtenWhere(edited)}.${hidden}`;
        return toReply(says, { ...details, ...(hides === undefined ? {} : { hides }) });
      }),
  );
}
