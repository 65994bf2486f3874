import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { counted } from "../app.ts";
import { alwaysLoaded } from "./always-loaded.ts";
import { answer, textOutput, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { TopicsSession } from "./tool-options.ts";

const input = toolInput({
  topic: z.string().describe("Area and subject, such as ci/cache"),
  subtopic: z.string().optional().describe("Subject, unless topic has it"),
  title: z.string().describe("The lesson in one line"),
  context: z.string().optional().describe("Ticket, branch or files; default the branch"),
  problem: z.string().describe("What was wrong or open; quote the error"),
  solution: z.string().describe("What holds now, and why"),
  code: z.string().optional().describe("Shortest useful snippet"),
  date: z.string().optional().describe("YYYY-MM-DD, default today"),
});

export function registerStoreInMemory(server: McpServer, { topics, warning: warningNow }: TopicsSession): void {
  server.registerTool(
    "store_in_memory",
    {
      title: "Store what was learned",
      description:
        "Use when something was learned: a fix that took several attempts, a decision, a correction from the user. Adds one dated lesson on top.",
      inputSchema: input,
      outputSchema: textOutput,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      _meta: alwaysLoaded,
    },
    async (entry) => {
      const warning = warningNow();
      let told = warning;
      const reply = await answer(async () => {
        const { path, date, title, alreadyStored, archived, warnings } = await topics.store(entry);
        told = joined(warning, warnings);
        const name = path.replace(/\.md$/, "");
        const lines = [
          alreadyStored ? `${name} holds this lesson already, or its archive does.` : `Stored ${name} › ${title}.`,
          ...(archived > 0 ? [`${counted(archived, "older lesson", "older lessons")} went into the archive.`] : []),
        ];
        return toReply(lines.join(" "), {
          path,
          date,
          title,
          already_stored: alreadyStored,
          archived,
          ...(told === undefined ? {} : { warning: told }),
        });
      });
      return withWarning(reply, told);
    },
  );
}

function joined(warning: string | undefined, more: readonly string[]): string | undefined {
  const all = [...(warning === undefined ? [] : [warning]), ...more];
  return all.length === 0 ? undefined : all.join(" ");
}

/** An error too: “there is no such topic” means something else where the external memory is out of reach. */
export function withWarning(reply: CallToolResult, warning: string | undefined): CallToolResult {
  const [first, ...rest] = reply.content;
  if (warning === undefined || first?.type !== "text" || first.text.includes(warning)) return reply;
  const text = `${first.text}\n\nWarning: ${warning}`;
  return {
    ...reply,
    content: [{ ...first, text }, ...rest],
    ...(reply.structuredContent ? { structuredContent: { text } } : {}),
  };
}
