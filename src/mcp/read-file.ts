import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { lineRangeShape, partOutput, toPartNote, toRange } from "./line-range.ts";
import { answer, toReply } from "./reply.ts";
import { toolInput } from "./tool-input.ts";
import type { FilesSession } from "./tool-options.ts";
import { toolOutput } from "./tool-output.ts";

const input = toolInput({ relative_path: z.string(), ...lineRangeShape });
const output = z.object({ path: z.string(), content: z.string(), rev: z.string(), part: partOutput });

export function registerReadFile(server: McpServer, { bank }: FilesSession): void {
  server.registerTool(
    "read_file",
    {
      title: "Read a file",
      description: "Read a file of the project, or by absolute path of the memory bank.",
      inputSchema: input,
      outputSchema: toolOutput(output),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ relative_path, ...range }) =>
      answer(async () => {
        const { part, ...file } = await bank.readFile(relative_path, toRange(range));
        return toReply(file.content + toPartNote(part), { ...file, ...(part ? { part } : {}) });
      }),
  );
}
