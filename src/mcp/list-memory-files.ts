import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { AgentFileEntry } from "../app.ts";
import { answer, textOutput, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { AgentSession } from "./tool-options.ts";

const pageSize = 200;
const none = "You have no memory files yet.";

const input = toolInput({ cursor: z.string().optional().describe("From the last answer") });

export function registerListMemoryFiles(server: McpServer, { agentId, memory }: AgentSession): void {
  server.registerTool(
    "list_memory_files",
    {
      title: "List memory files",
      description: "Use when you look for a file of an earlier run.",
      inputSchema: input,
      outputSchema: textOutput,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ cursor }) =>
      answer(async () => {
        const page = { limit: pageSize, ...(cursor === undefined ? {} : { after: cursor }) };
        const { files, next } = await memory.listMemoryFiles(agentId, page);
        const lines = files.map(toLine);
        if (next !== undefined) lines.push(`More follow: call again with cursor ${JSON.stringify(next)}.`);
        const text =
          lines.length > 0 ? lines.join("\n") : cursor === undefined ? none : "There are no more memory files.";
        return toReply(text, { files: files.map(toDetails), ...(next === undefined ? {} : { next_cursor: next }) });
      }),
  );
}

function toLine({ path, size, modified, rev, remark }: AgentFileEntry): string {
  const about = [`${size} bytes`, dayOf(modified), ...(rev === undefined ? [] : [`rev ${rev}`])];
  return `${path} (${about.join(", ")})${remark ? ` [${remark}]` : ""}`;
}

function toDetails({ modified, ...file }: AgentFileEntry) {
  return { ...file, modified: new Date(modified).toISOString() };
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
