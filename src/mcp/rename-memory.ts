import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { answer, textOutput, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { MemoriesSession } from "./tool-options.ts";

const input = toolInput({
  old_name: z.string().describe("As printed"),
  new_name: z.string().describe("Such as ci/cache"),
});

export function registerRenameMemory(server: McpServer, { records, changed }: MemoriesSession): void {
  server.registerTool(
    "rename_memory",
    {
      title: "Rename a memory",
      description: "Use when a note's name misleads; mem: references follow.",
      inputSchema: input,
      outputSchema: textOutput,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    },
    ({ old_name, new_name }) =>
      answer(async () => {
        const { notRewritten, ...renamed } = await records.rename(old_name, new_name);
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
