import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { printedName, type ToolPlaces } from "../reading.ts";
import type { SearchSession } from "../tool-options.ts";
import { toMessages, toMessagesOr } from "./messages.ts";

// Made once: a server over HTTP is made for each request.
const args = z.object({ task: z.string().describe("what is to be done, or what it is about") });

/** What memory knows for a task, in front of the task. */
export function registerRecallPrompt(server: McpServer, { search }: SearchSession, places: ToolPlaces): void {
  server.registerPrompt(
    "recall",
    {
      title: "Recall context for a task",
      description: "Begin a task with what memory knows about it.",
      argsSchema: args,
    },
    ({ task }) =>
      toMessagesOr(async () => {
        const { text } = await search.recall({
          query: task,
          task,
          nameOf: (item) => printedName(item, places),
        });
        const known = text === "" ? "Memory holds nothing that fits." : text;
        return toMessages(`${known}\n\nThe task: ${task}`);
      }),
  );
}
