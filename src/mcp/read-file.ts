import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type Bank, isRecollectError, parseRecordName } from "../app.ts";
import { answer, textOutput, toPartNote, toReply } from "./reply.ts";
import { lineRangeShape, toolInput, toRange } from "./tool-input.ts";
import type { FilesSession } from "./tool-options.ts";

const input = toolInput({
  relative_path: z.string().describe("In the project; absolute in the bank"),
  ...lineRangeShape,
});

export function registerReadFile(server: McpServer, { bank }: FilesSession): void {
  server.registerTool(
    "read_file",
    {
      title: "Read a file",
      description: "Use when you need a file of the project or the memory bank.",
      inputSchema: input,
      outputSchema: textOutput,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ relative_path, ...range }) =>
      answer(async () => {
        const { content, ...details } = await readPart(bank, relative_path, toRange(range));
        return toReply(content + toPartNote(details.part, details.path), details);
      }),
  );
}

/** Also `PATH:12-20`, lines from 1, as search and a part that was read name it. */
async function readPart(bank: Bank, given: string, range: ReturnType<typeof toRange>) {
  const { name, lines } = parseRecordName(given);
  try {
    return await bank.readFile(given, range);
  } catch (error) {
    const isNone = isRecollectError(error) && ["NOT_FOUND", "INVALID_PATH"].includes(error.code);
    if (!isNone || lines === undefined) throw error;
    return bank.readFile(name, { ...range, startLine: lines.from - 1, endLine: lines.to - 1 });
  }
}
