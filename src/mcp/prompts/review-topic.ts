import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { toMessages } from "./messages.ts";

// Made once: a server over HTTP is made for each request.
const args = z.object({ topic: z.string().describe("a topic or any subject") });

/** What is known of a subject, and whether it still holds. */
export function registerReviewTopicPrompt(server: McpServer): void {
  server.registerPrompt(
    "review_topic",
    {
      title: "Review what is known",
      description: "Gather what memory says about a subject, and find what is outdated or contradictory.",
      argsSchema: args,
    },
    ({ topic }) =>
      toMessages(
        [
          `Review what memory knows about “${topic}”.`,
          "1. Find it with search_memory, in several wordings, and read the notes that fit; load_from_memory shows a topic's entries.",
          "2. Sum up what is known, each statement with its note and date.",
          "3. Name what contradicts something else in memory, and what the project as it is now does not bear out: look there.",
          "4. Propose what to correct, join or delete, and change nothing before I agree. Notes and lessons are corrected with edit_memory, and removed with delete_memory.",
        ].join("\n"),
      ),
  );
}
