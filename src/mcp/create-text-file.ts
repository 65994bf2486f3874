import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { answer, textOutput, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { FilesSession } from "./tool-options.ts";

const input = toolInput({
  relative_path: z.string().describe("In the project; absolute in the bank"),
  content: z.string().describe("The whole file"),
});

export function registerCreateTextFile(server: McpServer, { bank }: FilesSession): void {
  server.registerTool(
    "create_text_file",
    {
      title: "Create a text file",
      description: "Use when you create or replace a file of the project or bank.",
      inputSchema: input,
      outputSchema: textOutput,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ relative_path, content }) =>
      answer(async () => {
        const created = await bank.createFile(relative_path, content);
        const overwrote = created.overwrote ? " Overwrote existing file." : "";
        return toReply(`File created: ${created.path}.${overwrote}`, { ...created });
      }),
  );
}
