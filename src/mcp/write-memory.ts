import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { answer, textOutput, toReply, writtenWhere } from "./reply.ts";
import { assertMaxChars, expectationShape, quiet, toExpectation, toolInput } from "./tool-input.ts";
import type { MemoriesSession } from "./tool-options.ts";

const input = toolInput({
  memory_name: z.string().describe("Such as ci/cache"),
  content: z.string().describe("Markdown, heading first"),
  max_chars: quiet(z.number().int().min(-1).optional()),
  ...expectationShape,
});

export function registerWriteMemory(server: McpServer, { records, changed }: MemoriesSession): void {
  server.registerTool(
    "write_memory",
    {
      title: "Write a memory",
      description:
        "Use when a note should say how things are now: conventions, commands, architecture. Replaces the whole note.",
      inputSchema: input,
      outputSchema: textOutput,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ memory_name, content, max_chars, ...expected }) =>
      answer(async () => {
        assertMaxChars(content, max_chars);
        const written = await records.write(memory_name, content, toExpectation(expected));
        changed();
        return toReply(`Memory ${written.name} written${writtenWhere(written)}.`, { ...written });
      }),
  );
}
