import { Command } from "commander";
import {
  counted,
  type FillProgress,
  type MigratedRoot,
  type MigrationDirection,
  type MigrationReport,
  migrateWorkspace,
} from "../app.ts";
import { withExamples } from "./examples.ts";
import { showOneLine } from "./one-line-progress.ts";
import { type Io, print, printable } from "./output.ts";
import { flagsOf, type WorkspaceOptions, withWorkspaceOptions } from "./workspace-options.ts";

type MigrateOptions = WorkspaceOptions & { readonly dryRun?: boolean };

/** `recollect migrate`: a memory with its history into a database, and back. */
export function migrateCommand(io: Io): Command {
  const migrate = new Command("migrate").description(
    "copy a memory with its history to PostgreSQL, or back to folders",
  );
  migrate.addCommand(
    directionCommand(io, "to-postgres", "from the folders of this project to its spaces in a database"),
  );
  migrate.addCommand(directionCommand(io, "to-files", "from the spaces of this project in a database to its folders"));
  return withExamples(
    migrate,
    "recollect migrate to-postgres --database-url postgres://me@db.example.org/memory --database-space shop --dry-run",
  );
}

function directionCommand(io: Io, direction: MigrationDirection, description: string): Command {
  return withWorkspaceOptions(new Command(direction))
    .description(description)
    .option("--dry-run", "only say what would be copied")
    .option("--json", "answer with one JSON object")
    .action(async (options: MigrateOptions) => {
      const json = options.json === true;
      const progress = showOneLine(io, json);
      const report = await migrateWorkspace({
        direction,
        flags: flagsOf(options),
        ...io.place,
        ...(options.project === undefined ? {} : { project: options.project }),
        ...(options.dryRun ? { dryRun: true } : {}),
        onProgress: (root, copied) => progress.show(progressOf(root, copied)),
      }).finally(progress.end);
      print(
        io,
        json,
        linesOf(report, options.dryRun === true)
          .map(printable)
          .join("\n"),
        { ...report },
      );
    })
    .addHelpText(
      "after",
      `
Memories, topics, the user's global memories, the bank and the files of agents are copied: documents byte for byte, and
every revision with its author, time and reason. What is copied stays where it is. Killed or interrupted, start it again:
it goes on where it was. A place that holds something else is refused. Nobody should write to either side meanwhile.
What was purged stays refused at the new place. Tokens and what the guard allows are not copied: make them anew there,
with recollect token create and recollect guard allow.

Examples:
  $ recollect migrate ${direction} --database-url postgres://me@db.example.org/memory --database-space shop --dry-run
  $ RECOLLECT_DATABASE_URL=postgres://me@db.example.org/memory recollect migrate ${direction} --json

Machines that share a memory set --database-space to the same name; without it each project folder has a space of its own.`,
    );
}

function progressOf(root: string, { stage, done, total }: FillProgress): string {
  return stage === "history" ? `History of ${root}: ${done} of ${total}` : `Documents of ${root}: ${done} of ${total}`;
}

function linesOf({ direction, roots, leftOut, refusedValues }: MigrationReport, isDry: boolean): string[] {
  const arrow = ({ folder, space }: MigratedRoot) =>
    direction === "to-postgres" ? `${folder} → postgres:${space}` : `postgres:${space} → ${folder}`;
  const lines = roots.flatMap((root) => [
    `${root.name}: ${arrow(root)}: ${isDry ? "would be copied" : saysOf(root)}`,
    ...(root.leftOut ?? []).map((path) => `  too large, and not copied: ${path}`),
    ...(root.next === undefined ? [] : [`  ${root.next}`]),
  ]);
  const none = roots.length === 0 ? ["There is nothing to copy."] : [];
  const refused = refusedValues === 0 ? [] : [refusedText(refusedValues, isDry)];
  return [...lines, ...none, ...refused, ...leftOut.map(({ name, why }) => `${name}: not copied, since ${why}`)];
}

function refusedText(count: number, isDry: boolean): string {
  const [are, would] = [count === 1 ? "is" : "are", isDry ? "would be" : undefined];
  return `${counted(count, "purged value")} ${would ?? are} refused there, as here`;
}

function saysOf({ operations = 0, documents = 0 }: MigratedRoot): string {
  if (operations === 0 && documents === 0) return "nothing new";
  return `${counted(operations, "operation")}, ${counted(documents, "document")}`;
}
