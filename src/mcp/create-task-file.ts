import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { taskFileKinds } from "../index.ts";
import { answer, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { FilesSession } from "./tool-options.ts";
import { toolOutput } from "./tool-output.ts";

const input = toolInput({
  task_id: z.string(),
  kind: z.enum(taskFileKinds),
  content: z.string().optional().describe("instead of the template"),
});
const output = z.object({ path: z.string(), rev: z.string(), from: z.string() });

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
      description: "Create the plan or review file of a task in the memory bank. Never overwrites.",
      inputSchema: input,
      outputSchema: toolOutput(output),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    ({ task_id, kind, content }) =>
      answer(async () => {
        const { path, rev, from } = await bank.createTaskFile(task_id, kind, content);
        return toReply(`File created: ${path}${origins[from]}.`, { path, rev, from });
      }),
  );
}
