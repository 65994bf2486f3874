import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { counted } from "../index.ts";
import { answer, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { TopicsSession } from "./tool-options.ts";
import { toolOutput } from "./tool-output.ts";

const input = toolInput({
  topic: z.string(),
  subtopic: z.string(),
  title: z.string(),
  context: z.string().describe("task"),
  problem: z.string(),
  solution: z.string(),
  code: z.string().optional(),
  date: z.string().optional().describe("YYYY-MM-DD"),
});
const output = z.object({
  path: z.string(),
  date: z.string(),
  title: z.string(),
  already_stored: z.boolean(),
  archived: z.number(),
  warning: z.string().optional(),
});

export function registerStoreInMemory(server: McpServer, { topics, warning: warningNow }: TopicsSession): void {
  server.registerTool(
    "store_in_memory",
    {
      title: "Store what was learned",
      description: "Store a solved problem as a dated entry. Old entries are archived.",
      inputSchema: input,
      outputSchema: toolOutput(output),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    async (entry) => {
      const warning = warningNow();
      let told = warning;
      const reply = await answer(async () => {
        const { path, date, title, alreadyStored, archived, warnings } = await topics().store(entry);
        told = joined(warning, warnings);
        const lines = [
          alreadyStored ? `This entry is in ${path} or its archive already.` : `Stored in ${path}.`,
          ...(archived > 0 ? [`${counted(archived, "older entry", "older entries")} went into the archive.`] : []),
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
  return { ...reply, content: [{ ...first, text: `${first.text}\n\nWarning: ${warning}` }, ...rest] };
}
