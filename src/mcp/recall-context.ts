import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { onOneLine } from "../index.ts";
import { given } from "./given.ts";
import { indexProgress } from "./index-progress.ts";
import { placeForRecall, type ToolPlaces, toolLines, toolPlace } from "./reading.ts";
import { answer, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { SearchSession } from "./tool-options.ts";
import { toolOutput } from "./tool-output.ts";

const warningChars = 300;

const input = toolInput({
  query: z.string(),
  max_tokens: z.number().int().min(1).default(1000),
  max_items: z.number().int().min(1).default(3),
  task: z.string().optional(),
});
const output = z.object({
  text: z.string(),
  tokens: z.number(),
  items: z.array(
    z.object({
      root: z.string(),
      kind: z.string(),
      path: z.string(),
      memory_name: z.string().optional(),
      relative_path: z.string().optional(),
      relative_file_path: z.string().optional(),
      title: z.string(),
      date: z.string(),
      start_line: z.number(),
      end_line: z.number(),
      trimmed: z.boolean(),
    }),
  ),
  warnings: z.array(z.string()).optional(),
});

export function registerRecallContext(server: McpServer, { search }: SearchSession, places: ToolPlaces): void {
  server.registerTool(
    "recall_context",
    {
      title: "Recall context",
      description: "Recall the notes that fit a task best, as one text within a budget.",
      inputSchema: input,
      outputSchema: toolOutput(output),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ query, max_tokens: maxTokens, max_items: maxItems, task }, context) =>
      answer(async () => {
        const request = { query, maxTokens, maxItems, placeOf: placeForRecall(places), ...given({ task }) };
        const { text, tokens, items, warnings } = await (await search()).recall(request, indexProgress(context));
        const reply = toReply(text === "" ? "Nothing in memory fits." : text, {
          text,
          tokens,
          items: items.map(({ lines, ...item }) => ({ ...item, ...toolPlace(item, places), ...toolLines(lines) })),
          ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
        });
        // Beside the block, which is within the budget and may be copied as it is.
        const told = warnings.map((warning) => ({
          type: "text" as const,
          text: `Warning: ${onOneLine(warning, warningChars)}`,
        }));
        return { ...reply, content: [...reply.content, ...told] };
      }),
  );
}
