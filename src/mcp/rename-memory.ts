import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { answer, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { MemoriesSession } from "./tool-options.ts";
import { toolOutput } from "./tool-output.ts";
import { onNote } from "./topic-files.ts";

const input = toolInput({ old_name: z.string(), new_name: z.string() });
const output = z.object({
  from: z.string(),
  to: z.string(),
  folder: z.string(),
  rev: z.string(),
  rewritten: z.array(z.string()),
  not_rewritten: z.array(z.object({ name: z.string(), folder: z.string() })),
});

export function registerRenameMemory(server: McpServer, { memories, changed, topicFiles }: MemoriesSession): void {
  server.registerTool(
    "rename_memory",
    {
      title: "Rename a memory",
      description: "Rename or move a note, and the `mem:` references to it.",
      inputSchema: input,
      outputSchema: toolOutput(output),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    },
    ({ old_name, new_name }) =>
      answer(async () => {
        const { notRewritten, ...renamed } = await onNote(old_name, topicFiles, () =>
          memories.rename(old_name, new_name),
        );
        const { from, to, folder, rewritten } = renamed;
        changed();
        const lines = [`Memory renamed from ${from} to ${to} (in ${folder}).`];
        if (rewritten.length > 0) lines.push(`References rewritten in: ${rewritten.join(", ")}.`);
        if (notRewritten.length > 0) {
          const where = notRewritten.map(({ name, folder: place }) => `${name} (${place})`).join(", ");
          lines.push(`These still refer to mem:${from}, and are read-only: ${where}.`);
        }
        return toReply(lines.join("\n"), {
          ...renamed,
          rewritten: [...rewritten],
          not_rewritten: notRewritten.map((one) => ({ ...one })),
        });
      }),
  );
}
