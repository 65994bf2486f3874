import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { expectationShape, toExpectation } from "./expectation.ts";
import { answer, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { MemoriesSession } from "./tool-options.ts";
import { toolOutput } from "./tool-output.ts";
import { assertMaxChars, writtenOutput, writtenWhere } from "./written.ts";

const input = toolInput({
  memory_name: z.string().describe("such as auth/login; a slash makes a topic"),
  content: z.string().describe("Markdown"),
  max_chars: z.number().int().min(-1).optional(),
  ...expectationShape,
});

export function registerWriteMemory(server: McpServer, { memories, changed }: MemoriesSession): void {
  server.registerTool(
    "write_memory",
    {
      title: "Write a memory",
      description: "Create or replace a note: what a later session should know. Refer to other notes as `mem:NAME`.",
      inputSchema: input,
      outputSchema: toolOutput(writtenOutput),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ memory_name, content, max_chars, ...expected }) =>
      answer(async () => {
        assertMaxChars(content, max_chars);
        const written = await memories.write(memory_name, content, toExpectation(expected));
        changed();
        return toReply(`Memory ${written.name} written${writtenWhere(written)}.`, { ...written });
      }),
  );
}
