import { isAbsolute } from "node:path";
import { Argument, Command } from "commander";
import {
  isRecollectError,
  parseExistingPath,
  RecollectError,
  type TaskFileKind,
  taskFileKinds,
  type Workspace,
} from "../app.ts";
import { operationsOf } from "./operations.ts";
import { type Io, print, printable, printableText } from "./output.ts";
import { type TextOptions, textOf, withTextOptions } from "./text-input.ts";
import { parseCount, type WorkspaceOptions, withWorkspace } from "./workspace-options.ts";

type BankOptions = WorkspaceOptions & { readonly templates?: boolean };

/** `recollect bank …`: the central memory of a project, outside of its repository. */
export function bankCommand(io: Io): Command {
  const bank = new Command("bank").description("the central memory of this project, outside of the repository");
  const operation = operationsOf(bank);

  operation(
    "list",
    "list the files of the project's part of the bank",
    "recollect bank list --recursive --memory-path ~/memory-bank",
  )
    .argument("[path]", "a folder in it", ".")
    .option("--recursive", "also what lies below")
    .option("--templates", "of the templates that all projects share")
    .action((path: string, options: BankOptions & { recursive?: boolean }) =>
      withWorkspace(io, options, async (workspace) => {
        const { recursive = false } = options;
        const { dirs, files, leftOut } = await inArea(workspace, path, options, (at) =>
          workspace.bank.listFolder(at, { recursive }),
        );
        const lines = [...dirs.map((dir) => `${dir}/`), ...files].map(printable);
        if (lines.length === 0) lines.push("Nothing here yet.");
        if (leftOut > 0) lines.push(`(${leftOut} left out. List a folder below.)`);
        print(io, options.json === true, lines.join("\n"), { dirs, files, leftOut });
      }),
    );

  operation(
    "read",
    "print a file",
    "recollect bank read foundation/stack.md --memory-path ~/memory-bank",
    "recollect bank read plan-mode.md --templates --memory-path ~/memory-bank",
  )
    .argument("<path>", "a file of the project's part of the bank")
    .option("--templates", "of the templates that all projects share")
    .option("--start-line <number>", "from this line on, counted from 0", parseCount)
    .option("--end-line <number>", "up to this line, which is included", parseCount)
    .action((path: string, options: BankOptions & { startLine?: number; endLine?: number }) =>
      withWorkspace(io, options, async (workspace) => {
        const { startLine, endLine } = options;
        const range = { startLine, endLine, maxChars: Number.MAX_SAFE_INTEGER };
        const file = await inArea(workspace, path, options, (at) => workspace.bank.readFile(at, range));
        if (options.json) print(io, true, "", { ...file });
        else io.out(printableText(io, file.content));
      }),
    );

  withTextOptions(
    operation(
      "write",
      "create or replace a file with text from --content, --file or standard input; the former revision is kept",
      "recollect bank write foundation/stack.md --file stack.md --memory-path ~/memory-bank",
      "git log -5 --oneline | recollect bank write worklog.md --memory-path ~/memory-bank",
    ),
  )
    .argument("<path>", "a file of the project's part of the bank")
    .action((path: string, options: BankOptions & TextOptions) =>
      withWorkspace(io, options, async (workspace) => {
        const created = await inArea(workspace, path, options, async (at) =>
          workspace.bank.createFile(at, await textOf(io, options)),
        );
        print(io, options.json === true, `${created.overwrote ? "Replaced" : "Created"} ${created.path}.`, {
          ...created,
        });
      }),
    );

  withTextOptions(
    operation(
      "task",
      "create the plan or review file of a task, from its template unless text is given",
      "recollect bank task PROJ-12 plan --memory-path ~/memory-bank",
    ),
  )
    .argument("<task>", "the task's id, such as PROJ-12")
    .addArgument(new Argument("<kind>", "what for").choices(taskFileKinds))
    .action((task: string, kind: TaskFileKind, options: WorkspaceOptions & TextOptions) =>
      withWorkspace(io, options, async ({ bank: files }) => {
        const isGiven = options.content !== undefined || options.file !== undefined;
        const created = await files.createTaskFile(task, kind, isGiven ? await textOf(io, options) : undefined);
        const how = { content: "", template: " from its template", nothing: ", empty: there is no template" }[
          created.from
        ];
        print(io, options.json === true, `Created ${created.path}${how}.`, { ...created });
      }),
    );

  return bank.addHelpText(
    "after",
    `
Examples:
  $ recollect bank list --recursive --memory-path ~/memory-bank
  $ recollect bank write foundation/stack.md --file stack.md --memory-path ~/memory-bank
  $ recollect bank task PROJ-12 plan --memory-path ~/memory-bank`,
  );
}

/** Paths on the command line are inside the area; the facade knows absolute ones. */
function placeOf({ bankAreas }: Workspace, path: string, { templates }: BankOptions): string {
  const area = (templates ? bankAreas?.templates : bankAreas?.bank)?.[0];
  if (area === undefined) {
    throw new RecollectError(
      "INVALID_ARGUMENT",
      "No bank is configured. Give --memory-path, or set bank.memory_path in your settings file.",
    );
  }
  // An absolute one is as our own answers print it.
  if (isAbsolute(path)) return path;
  // One slash at its end says that a folder is meant, and the facade knows where one may be.
  if (path !== ".") parseExistingPath(path.replace(/(?<=[^/])\/$/, ""));
  return path === "." ? area : `${area}/${path}`;
}

/** What the facade advises is for tools, whose relative paths are the project's. */
async function inArea<Result>(
  workspace: Workspace,
  path: string,
  options: BankOptions,
  use: (at: string) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(placeOf(workspace, path, options));
  } catch (error) {
    if (!isRecollectError(error) || error.data["why"] === undefined) throw error;
    const says = `${error.data["why"]} Use a path in the bank's part of this project, such as foundation/stack.md.`;
    throw new RecollectError(error.code, says, { cause: error });
  }
}
