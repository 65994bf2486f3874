import { Command } from "commander";
import { counted, type ExportReport, exportWorkspace } from "../app.ts";
import { showOneLine } from "./one-line-progress.ts";
import { type Io, print, printable } from "./output.ts";
import { flagsOf, type WorkspaceOptions, withWorkspaceOptions } from "./workspace-options.ts";

/** `recollect export FOLDER`: everything as plain files. */
export function exportCommand(io: Io): Command {
  return withWorkspaceOptions(new Command("export"))
    .description("copy all documents as they are now into plain folders, from wherever they lie")
    .argument("<folder>", "an empty or new folder")
    .option("--json", "answer with one JSON object")
    .action(async (folder: string, options: WorkspaceOptions) => {
      const json = options.json === true;
      const progress = showOneLine(io, json);
      const report = await exportWorkspace({
        folder,
        flags: flagsOf(options),
        ...io.place,
        ...(options.project === undefined ? {} : { project: options.project }),
        onProgress: (done) => progress.show(`${counted(done, "document")} exported`),
      }).finally(progress.end);
      print(io, json, linesOf(report).map(printable).join("\n"), { ...report });
    })
    .addHelpText(
      "after",
      `
The folder gets a folder for memories, topics, global memories, the bank, its templates, each additional folder, and each
agent. No history and nothing of Recollect is in it. Killed or interrupted, start it again: it goes on where it was.

Examples:
  $ recollect export ~/memory-backup
  $ recollect export ./plain --database-url postgres://me@db.example.org/memory --database-space shop --json`,
    );
}

function linesOf({ documents, leftOut }: ExportReport): string[] {
  return [
    `${counted(documents, "document")} exported.`,
    ...leftOut.map(({ root, path, why }) => `  not exported: ${root}: ${path}: ${why}`),
  ];
}
