import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { LoadedEntry } from "../index.ts";
import { answer, toReply } from "./reply.ts";
import { withWarning } from "./store-in-memory.ts";
import { toolInput } from "./tool-input.ts";
import type { TopicsSession } from "./tool-options.ts";
import { toolOutput } from "./tool-output.ts";

const input = toolInput({
  topic: z.string(),
  subtopic: z.string().optional(),
  limit: z.number().int().min(1).optional(),
});
const output = z.object({
  entries: z.array(
    z.object({
      topic: z.string(),
      subtopic: z.string(),
      date: z.string(),
      title: z.string(),
      text: z.string().optional(),
      fields: z.record(z.string(), z.string()),
    }),
  ),
  total: z.number(),
  unreadable: z.array(z.string()).optional(),
  warning: z.string().optional(),
});

export function registerLoadFromMemory(server: McpServer, { topics, warning: warningNow }: TopicsSession): void {
  server.registerTool(
    "load_from_memory",
    {
      title: "Load what was learned",
      description: "Load the entries of a topic, newest first.",
      inputSchema: input,
      outputSchema: toolOutput(output),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async (request) => {
      const warning = warningNow();
      const reply = await answer(async () => {
        const { entries, total, unreadable } = await topics().load(request);
        const lines = entries.map(toText);
        if (entries.length < total)
          lines.push(`(${entries.length} of ${total} shown. Raise limit, or name a subtopic.)`);
        if (unreadable.length > 0) lines.push(`(Left out, since they cannot be read: ${unreadable.join(", ")}.)`);
        return toReply(lines.join("\n\n"), {
          entries: entries.map(toStructured),
          total,
          ...(unreadable.length === 0 ? {} : { unreadable: [...unreadable] }),
          ...(warning === undefined ? {} : { warning }),
        });
      });
      return withWarning(reply, warning);
    },
  );
}

function toText({ topic, subtopic, date, title, text, fields }: LoadedEntry): string {
  const named = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return [`${date} ${title} (${topic}/${subtopic})`, ...(text === "" ? [] : [text]), ...named].join("\n");
}

function toStructured({ topic, subtopic, date, title, text, fields }: LoadedEntry) {
  return { topic, subtopic, date, title, ...(text === "" ? {} : { text }), fields: { ...fields } };
}
