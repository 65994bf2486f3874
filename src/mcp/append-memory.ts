import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { alwaysLoaded } from "./always-loaded.ts";
import { answer, textOutput, toReply, writtenWhere } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { MemoriesSession } from "./tool-options.ts";

const input = toolInput({
  memory_name: z.string().describe("Such as conventions"),
  content: z.string().describe("One fact a line, with its reason"),
});

export function registerAppendMemory(server: McpServer, { records, changed }: MemoriesSession): void {
  server.registerTool(
    "append_memory",
    {
      title: "Append to a memory",
      description:
        "Use when one more fact belongs in a note, or the user states a rule to keep. Adds it at the end, and creates the note if there is none.",
      inputSchema: input,
      outputSchema: textOutput,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
      _meta: alwaysLoaded,
    },
    ({ memory_name, content }) =>
      answer(async () => {
        const written = await records.append(memory_name, content);
        changed();
        return toReply(`Appended to memory ${written.name}${writtenWhere(written)}.`, { ...written });
      }),
  );
}
