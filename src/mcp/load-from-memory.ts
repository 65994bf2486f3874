import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { LoadedEntry } from "../app.ts";
import { answer, textOutput, toReply } from "./reply.ts";
import { withWarning } from "./store-in-memory.ts";
import { toolInput } from "./tool-input.ts";
import type { TopicsSession } from "./tool-options.ts";

const input = toolInput({
  topic: z.string().describe("Such as ci or ci/cache"),
  subtopic: z.string().optional().describe("Only this subject"),
  limit: z.number().int().min(1).optional().describe("Most lessons"),
});

export function registerLoadFromMemory(server: McpServer, { topics, warning: warningNow }: TopicsSession): void {
  server.registerTool(
    "load_from_memory",
    {
      title: "Load what was learned",
      description: "Use when you want all lessons of a topic, newest first.",
      inputSchema: input,
      outputSchema: textOutput,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async (request) => {
      const warning = warningNow();
      const reply = await answer(async () => {
        const { entries, total, unreadable } = await topics.load(request);
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
  return [`${topic}/${subtopic} › ${title} (lesson, ${date})`, ...(text === "" ? [] : [text]), ...named].join("\n");
}

function toStructured({ topic, subtopic, date, title, text, fields }: LoadedEntry) {
  return { topic, subtopic, date, title, ...(text === "" ? {} : { text }), fields: { ...fields } };
}
