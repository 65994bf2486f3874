import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { onOneLine } from "../app.ts";
import { given } from "./given.ts";
import { indexProgress } from "./index-progress.ts";
import { printedName, type ToolPlaces } from "./reading.ts";
import { answer, textOutput, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { SearchSession } from "./tool-options.ts";

const warningChars = 300;

const input = toolInput({
  query: z.string().describe("The task in one sentence"),
  max_tokens: z.number().int().min(1).default(1000).describe("Limit of the answer"),
  max_items: z.number().int().min(1).default(3).describe("Most pieces"),
  task: z.string().optional().describe("Ticket id, if there is one"),
});

export function registerRecallContext(server: McpServer, { search }: SearchSession, places: ToolPlaces): void {
  server.registerTool(
    "recall_context",
    {
      title: "Recall context",
      description: "Use when you begin a task and want its background in one call, within max_tokens.",
      inputSchema: input,
      outputSchema: textOutput,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ query, max_tokens: maxTokens, max_items: maxItems, task }, context) =>
      answer(async () => {
        const limits = { maxTokens, maxItems, sentAs: asSent };
        const request = {
          query,
          ...limits,
          nameOf: (item: Parameters<typeof printedName>[0]) => printedName(item, places),
          ...given({ task }),
        };
        const recalled = await search.recall(request, indexProgress(context));
        const { tokens, items, warnings } = recalled;
        const text = recalled.text === "" ? "Nothing in memory fits." : recalled.text;
        const details = {
          tokens,
          items: items.map((item) => ({ name: printedName({ ...item, breadcrumb: [] }, places), ...item })),
          ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
        };
        const reply = toReply(text, details, { text: withWarnings(text, warnings) });
        // Beside the block, which may be copied as it is.
        const told = warnings.map((warning) => ({ type: "text" as const, text: toWarning(warning) }));
        return { ...reply, content: [...reply.content, ...told] };
      }),
  );
}

/** What a client hands to its model, of which the budget is. */
function asSent(text: string, warnings: readonly string[]): string {
  return JSON.stringify({ text: withWarnings(text, warnings) });
}

function withWarnings(text: string, warnings: readonly string[]): string {
  return [text, ...warnings.map(toWarning)].join("\n\n");
}

function toWarning(warning: string): string {
  return `Warning: ${onOneLine(warning, warningChars)}`;
}
