import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { answer, toolOutput, toReply } from "./reply.ts";
import { quiet, toolInput } from "./tool-input.ts";
import type { FilesSession } from "./tool-options.ts";

const defaultChars = 20_000;

const input = toolInput({
  relative_path: z.string().describe("“.” is the project"),
  recursive: z.boolean().optional().describe("Subfolders too"),
  skip_ignored_files: quiet(z.boolean().optional()),
  max_answer_chars: quiet(z.number().int().min(-1).optional()),
});
const output = toolOutput(
  z.object({ dirs: z.array(z.string()), files: z.array(z.string()), notes: z.array(z.string()).optional() }),
);

export function registerListDir(server: McpServer, { bank }: FilesSession): void {
  server.registerTool(
    "list_dir",
    {
      title: "List a folder",
      description: "Use when you need to see a folder of the project or bank.",
      inputSchema: input,
      outputSchema: output,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ relative_path, recursive = false, skip_ignored_files: skipIgnored = true, max_answer_chars = -1 }) =>
      answer(async () => {
        const contents = await bank.listFolder(relative_path, { recursive, skipIgnored });
        const limit = max_answer_chars > 0 ? max_answer_chars : defaultChars;
        const [dirs, room] = fitting(contents.dirs, limit);
        const [files] = fitting(contents.files, room);
        const cut = contents.dirs.length - dirs.length + contents.files.length - files.length;
        const leftOut = contents.leftOut + cut;
        const notes = [
          ...(contents.ignored ? ["This folder is ignored by .gitignore, so nothing in it is shown."] : []),
          ...(leftOut > 0
            ? [
                `(${contents.counted ? leftOut : `More than ${leftOut}`} left out. List a folder below, or not recursively.)`,
              ]
            : []),
        ];
        const text = [JSON.stringify({ dirs, files }), ...notes].join("\n");
        return toReply(text, { left_out: leftOut }, { dirs, files, ...(notes.length > 0 ? { notes } : {}) });
      }),
  );
}

/** As many as fit, and how many characters are left. */
function fitting(names: readonly string[], chars: number): [readonly string[], number] {
  let [room, end] = [chars, 0];
  for (const name of names) {
    room -= name.length + 3;
    if (room < 0) return [names.slice(0, end), 0];
    end += 1;
  }
  return [names, room];
}
