import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type Memories, type MemoryEntry, onOneLine } from "../app.ts";
import { given } from "./given.ts";
import { answer, sentLength, textOutput, toReply } from "./reply.ts";
import { quiet, toolInput } from "./tool-input.ts";
import type { MemoriesSession } from "./tool-options.ts";

/** About 3,000 tokens: a list must not crowd out the work it is for. */
const maxChars = 12_000;
const nameChars = 300;

const input = toolInput({
  topic: z.string().optional().describe("Only this folder"),
  limit: quiet(z.number().int().min(1).max(500).optional()),
  cursor: z.string().optional().describe("From the last answer"),
});

export function registerListMemories(server: McpServer, { memories }: MemoriesSession): void {
  server.registerTool(
    "list_memories",
    {
      title: "List memories",
      description: "Use when you want an overview of all notes.",
      inputSchema: input,
      outputSchema: textOutput,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ topic, limit, cursor }) =>
      answer(async () => {
        const page = await memories.list(given({ topic, limit, after: cursor }));
        const shown = fitting(page.memories);
        const leftOut = page.total - shown.length;
        const cut = shown.length < page.memories.length;
        const next = cut ? shown.at(-1)?.name : page.next;
        const text = page.total === 0 ? await noMemories(memories, topic) : toText(shown, page.total, leftOut, next);
        return toReply(text, {
          memories: shown.map(toDetails),
          total: page.total,
          left_out: leftOut,
          ...(next === undefined ? {} : { next_cursor: next }),
        });
      }),
  );
}

function fitting(entries: readonly MemoryEntry[]): readonly MemoryEntry[] {
  let [room, end] = [maxChars, 0];
  for (const entry of entries) {
    room -= sentLength(toLine(entry));
    if (room < 0) return entries.slice(0, Math.max(end, 1));
    end += 1;
  }
  return entries;
}

async function noMemories(memories: Memories, topic: string | undefined): Promise<string> {
  if (topic) return `There are no memories below “${topic}”.`;
  const { folders } = await memories.overview();
  return folders.some(({ kind }) => kind !== "global")
    ? "There are no memories yet. Write down what you learn with write_memory."
    : "There are no memories, and no project here to write them for. Tell the user to start in a project, or to make this folder one with: recollect init --project .";
}

function toText(shown: readonly MemoryEntry[], total: number, leftOut: number, next: string | undefined): string {
  const lines = shown.map(toLine);
  if (leftOut > 0) {
    const more = next === undefined ? "" : ` Next page: cursor ${JSON.stringify(next)}.`;
    lines.push(`(${shown.length} of ${total} shown.${more} Narrow with topic.)`);
  }
  return lines.join("\n");
}

function toLine({ name, folder, modified, summary, readOnly, shadowed, remark, conflictOf }: MemoryEntry): string {
  const day = modified === 0 ? "" : `, ${new Date(modified).toISOString().slice(0, 10)}`;
  const marks = [
    ...(readOnly ? ["read-only"] : []),
    ...(shadowed.length > 0 ? [`hides ${shadowed.join(", ")}`] : []),
    ...(conflictOf === undefined ? [] : [`conflict: another version of ${conflictOf}`]),
    ...(remark === undefined ? [] : [remark]),
  ];
  // A name on disk may hold anything, a line that looks like ours among it.
  return onOneLine(
    `${name}${summary === "" ? "" : `: ${summary}`} (${[folder + day, ...marks].join("; ")})`,
    2 * nameChars,
  );
}

function toDetails({ name, folder, size, modified, summary, readOnly, shadowed, remark, conflictOf }: MemoryEntry) {
  return {
    name,
    folder,
    size,
    modified: new Date(modified).toISOString(),
    summary,
    ...(readOnly ? { read_only: true } : {}),
    ...(shadowed.length > 0 ? { shadowed: [...shadowed] } : {}),
    ...(remark === undefined ? {} : { remark }),
    ...(conflictOf === undefined ? {} : { conflict_of: conflictOf }),
  };
}
