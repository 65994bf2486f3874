import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { taskFileKinds } from "../app.ts";
import { answer, textOutput, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { FilesSession } from "./tool-options.ts";

const input = toolInput({
  task_id: z.string().describe("Such as PRB-142"),
  kind: z.enum(taskFileKinds).describe("Which file"),
  content: z.string().optional().describe("Instead of the template"),
});

const origins = {
  content: "",
  template: " from its template",
  nothing: ", empty, since there is no template",
} as const;

export function registerCreateTaskFile(server: McpServer, { bank }: FilesSession): void {
  server.registerTool(
    "create_task_file",
    {
      title: "Create a task file",
      description: "Use when a task is planned or reviewed: creates its file in the bank.",
      inputSchema: input,
      outputSchema: textOutput,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    ({ task_id, kind, content }) =>
      answer(async () => {
        const { path, rev, from } = await bank.createTaskFile(task_id, kind, content);
        return toReply(`File created: ${path}${origins[from]}.`, { path, rev, from });
      }),
  );
}
