import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { AgentSession } from "./agent-session.ts";
import { answer, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import { toolOutput } from "./tool-output.ts";

const pageSize = 200;
const none = "You have no memory files yet.";

const input = toolInput({ cursor: z.string().optional().describe("from a former answer") });
const output = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      size: z.number(),
      modified: z.string(),
      rev: z.string().optional(),
      remark: z.string().optional(),
    }),
  ),
  next_cursor: z.string().optional(),
});

export function registerListMemoryFiles(server: McpServer, { agentId, memory }: AgentSession): void {
  server.registerTool(
    "list_memory_files",
    {
      title: "List memory files",
      description: "List your memory files with size, time and revision.",
      inputSchema: input,
      outputSchema: toolOutput(output),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ cursor }) =>
      answer(async () => {
        const page = { limit: pageSize, ...(cursor === undefined ? {} : { after: cursor }) };
        const { files, next } = await memory.listMemoryFiles(agentId, page);
        const listed = files.map(({ path, size, modified, rev, remark }) => ({
          path,
          size,
          modified: new Date(modified).toISOString(),
          ...(rev === undefined ? {} : { rev }),
          ...(remark === undefined ? {} : { remark }),
        }));
        const lines = listed.map(
          (file) => `${file.path} (${file.size} bytes)${file.remark ? ` [${file.remark}]` : ""}`,
        );
        if (next !== undefined) lines.push(`More follow: call again with cursor ${JSON.stringify(next)}.`);
        const text =
          lines.length > 0 ? lines.join("\n") : cursor === undefined ? none : "There are no more memory files.";
        return toReply(text, { files: listed, ...(next === undefined ? {} : { next_cursor: next }) });
      }),
  );
}
