import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { answer, textOutput, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { MemoriesSession } from "./tool-options.ts";

const input = toolInput({
  memory_name: z.string().describe("As printed: ci/cache, or ci/cache › Title"),
});

export function registerDeleteMemory(server: McpServer, { records, changed }: MemoriesSession): void {
  server.registerTool(
    "delete_memory",
    {
      title: "Delete a memory",
      description: "Use when a note or lesson is wrong as a whole, or the user asks. History keeps it.",
      inputSchema: input,
      outputSchema: textOutput,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    },
    ({ memory_name }) =>
      answer(async () => {
        const { kind, name, goneAs, folder, uncovered, hides } = await records.forget(memory_name);
        changed();
        const now = uncovered === undefined ? "" : ` The one of the same name in ${uncovered} shows now.`;
        if (hides !== undefined) {
          const says = `${folder} is read-only: a note of the same name hides ${name} there from now on. To see it again, delete that note.`;
          return toReply(says, { kind, name, folder, hides });
        }
        const back = `To bring it back: memory_history with path ${JSON.stringify(goneAs)}, action restore, rev ~1.`;
        return toReply(`Deleted the ${kind} ${name} from ${folder}.${now} ${back}`, {
          kind,
          name,
          folder,
          ...(uncovered === undefined ? {} : { uncovered }),
        });
      }),
  );
}
