import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { toMessages } from "./messages.ts";

// Made once: a server over HTTP is made for each request.
const args = z.object({ topic: z.string().optional().describe("such as build") });

/** What a session found out, before it ends. */
export function registerStoreLearnedPrompt(server: McpServer): void {
  server.registerPrompt(
    "store_learned",
    {
      title: "Store what was learned",
      description: "Write down what a later session should know from this one.",
      argsSchema: args,
    },
    ({ topic }) =>
      toMessages(
        [
          "Look back at this session and store what a later one should know, and nothing else.",
          "1. List what was found out the hard way: problems with their causes and solutions, decisions with their reasons, commands that work. Leave out what the code or its history says anyway, and what holds for today alone.",
          "2. For each, look with search_memory whether it is known already. A note or lesson that is wrong or lacks it is corrected with edit_memory, instead of adding another.",
          `3. Store the rest: a solved problem with store_in_memory${topic === undefined ? "" : ` under the topic “${topic}”`}, what lasts about the project with write_memory or append_memory.`,
          "4. Never store secrets, only where they are kept.",
          "5. Tell me in one line each what you stored, and where.",
        ].join("\n"),
      ),
  );
}
