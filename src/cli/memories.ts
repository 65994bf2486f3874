import { Command, Option } from "commander";
import {
  counted,
  type EditMode,
  editModes,
  isRecollectError,
  type MemoryEntry,
  RecollectError,
  type Workspace,
} from "../app.ts";
import { type ExpectationOptions, expectationOf, withIfRev } from "./expectation-options.ts";
import { dayOf } from "./local-time.ts";
import { operationsOf } from "./operations.ts";
import { exitCodes, type Io, print, printable, printableText, shellWord } from "./output.ts";
import { type TextOptions, textOf, withTextOptions } from "./text-input.ts";
import { parseCount, parseLimit, type WorkspaceOptions, withWorkspace } from "./workspace-options.ts";

type WriteOptions = WorkspaceOptions & TextOptions & ExpectationOptions;

/** `recollect memories …`: the named notes of a project, for people and scripts. */
export function memoriesCommand(io: Io, setExitCode: (code: number) => void): Command {
  const memories = new Command("memories").description("the notes of this project, over all its folders");
  const operation = operationsOf(memories);

  operation(
    "list",
    "list the notes with a summary of each",
    "recollect memories list",
    "recollect memories list auth --limit 20 --json",
  )
    .argument("[topic]", "only names below this folder, such as auth")
    .option("--limit <number>", "at most this many", parseLimit)
    .option("--after <name>", "only what comes after this name")
    .action((topic: string | undefined, options: WorkspaceOptions & { limit?: number; after?: string }) =>
      withWorkspace(io, options, (workspace) => list(io, workspace, topic, options)),
    );

  operation(
    "read",
    "print a note",
    "recollect memories read build",
    "recollect memories read build --start-line 0 --end-line 9",
  )
    .argument("<name>", "the note, such as auth/login")
    .option("--start-line <number>", "from this line on, counted from 0", parseCount)
    .option("--end-line <number>", "up to this line, which is included", parseCount)
    .action((name: string, options: WorkspaceOptions & { startLine?: number; endLine?: number }) =>
      withWorkspace(io, options, async (workspace) => {
        const { startLine, endLine } = options;
        const memory = await workspace.records().read(name, { startLine, endLine, maxChars: Number.POSITIVE_INFINITY });
        if (options.json) print(io, true, "", { ...memory });
        else io.out(printableText(io, memory.content));
      }),
    );

  withIfRev(
    withTextOptions(
      operation(
        "write",
        "create or replace a note with text from --content, --file or standard input",
        'recollect memories write build --content "Run npm test before each commit."',
        "git log -5 --oneline | recollect memories write worklog",
      ),
    ),
  )
    .argument("<name>", "the note, such as auth/login")
    .option("--create-only", "refuse to replace an existing one")
    .action((name: string, options: WriteOptions) =>
      withWorkspace(io, options, async ({ memories: notes }) => {
        const written = await notes.write(name, await textOf(io, options), expectationOf(options));
        const done = written.created ? "Created" : "Replaced";
        print(io, options.json === true, `${done} ${written.name} in ${written.folder} (rev ${written.rev}).`, {
          ...written,
        });
      }),
    );

  for (const [name, summary, example] of [
    [
      "append",
      "add lines to the end of a note, or create it",
      "git log -5 --oneline | recollect memories append worklog",
    ],
    [
      "prepend",
      "add lines to the beginning of a note, after front matter",
      'recollect memories prepend worklog --content "Release on Friday."',
    ],
  ] as const) {
    withIfRev(withTextOptions(operation(name, summary, example)))
      .argument("<name>", "the note")
      .action((note: string, options: WriteOptions) =>
        withWorkspace(io, options, async ({ memories: notes }) => {
          const written = await notes[name](note, await textOf(io, options), expectationOf(options));
          const where = `${written.name} in ${written.folder} (rev ${written.rev})`;
          print(io, options.json === true, `Added to ${where}.`, { ...written });
        }),
      );
  }

  withIfRev(
    operation(
      "edit",
      "replace text in a note",
      'recollect memories edit build "npm test" "npm run check"',
      `recollect memories edit build 'v(\\d+)' 'version $!1' --mode regex --all`,
    ),
  )
    .argument("<name>", "the note")
    .argument("<needle>", "what to replace")
    .argument("<replacement>", "by what; $!1 is the first group of a regex")
    .addOption(new Option("--mode <mode>", "how to read the needle").choices(editModes).default("literal"))
    .option("--all", "replace every match; without it there must be just one")
    .action(
      (
        name: string,
        needle: string,
        replacement: string,
        options: WorkspaceOptions & ExpectationOptions & { mode: EditMode; all?: boolean },
      ) =>
        withWorkspace(io, options, async (workspace) => {
          const edit = { needle, replacement, mode: options.mode, multiple: options.all === true };
          const edited = await workspace
            .records()
            .edit(name, edit, expectationOf(options))
            .catch((error: unknown) => Promise.reject(withFlags(error)));
          const matches = counted(edited.count, "match", "matches");
          const text = `Replaced ${matches} in ${edited.name} in ${edited.folder} (rev ${edited.rev}).`;
          print(io, options.json === true, text, { ...edited });
        }),
    );

  operation(
    "rename",
    "rename or move a note, and the mem: references to it",
    "recollect memories rename build build/overview",
  )
    .argument("<old>", "the note")
    .argument("<new>", "its new name")
    .action((from: string, to: string, options: WorkspaceOptions) =>
      withWorkspace(io, options, async (workspace) => {
        const renamed = await workspace.records().rename(from, to);
        const lines = [`Renamed ${renamed.from} to ${renamed.to} in ${renamed.folder}.`];
        for (const name of renamed.rewritten) lines.push(`  rewrote the references in ${name}`);
        for (const { name, folder } of renamed.notRewritten) {
          lines.push(`  ${name} in ${folder} still refers to mem:${renamed.from}, and is read-only`);
        }
        print(io, options.json === true, lines.join("\n"), { ...renamed });
      }),
    );

  withIfRev(operation("delete", "delete a note; its revisions stay in history", "recollect memories delete worklog"))
    .argument("<name>", "the note")
    .action((name: string, options: WorkspaceOptions & ExpectationOptions) =>
      withWorkspace(io, options, async (workspace) => {
        const { folder, uncovered, name: deleted } = await workspace.records().forget(name, expectationOf(options));
        const now = uncovered === undefined ? "" : ` The one of the same name in ${uncovered} shows now.`;
        print(io, options.json === true, `Deleted ${deleted} from ${folder}.${now}`, {
          name: deleted,
          folder,
          uncovered,
        });
      }),
    );

  operation(
    "check",
    "find references that lead nowhere, and names that hide others; exit code 1 if there are any",
    "recollect memories check",
  ).action((options: WorkspaceOptions) =>
    withWorkspace(io, options, async ({ memories: notes }) => {
      const report = await notes.check();
      const lines = [
        ...report.dangling.map(
          ({ name, folder, reference }) => `${name} (${folder}) refers to mem:${reference}, which does not exist`,
        ),
        ...report.shadowed.map(
          ({ name, folder, hidden }) => `${name} in ${folder} hides the one in ${hidden.join(", ")}`,
        ),
      ];
      const found = lines.length;
      lines.push(`${counted(report.checked, "note")} checked, ${found === 0 ? "nothing found" : `${found} found`}.`);
      print(io, options.json === true, lines.map(printable).join("\n"), { ...report });
      if (found > 0) setExitCode(exitCodes.failed);
    }),
  );

  return memories.addHelpText(
    "after",
    `
Examples:
  $ recollect memories write build --content "Run npm test before each commit."
  $ git log -5 --oneline | recollect memories append worklog
  $ recollect memories edit build "npm test" "npm run check"
  $ recollect memories list auth --json`,
  );
}

/** What a tool's argument allows is a flag here. */
function withFlags(error: unknown): unknown {
  if (!isRecollectError(error) || error.data["parameter"] !== "multiple") return error;
  const says = `The needle matches ${error.data["matches"]} times. Make it longer so that it matches once, or add --all.`;
  return new RecollectError(error.code, says, { data: error.data, cause: error });
}

async function list(
  io: Io,
  { memories, memoryFolders }: Workspace,
  topic: string | undefined,
  options: WorkspaceOptions & { limit?: number; after?: string },
): Promise<void> {
  const { limit, after } = options;
  const page = await memories.list({
    ...(topic === undefined ? {} : { topic }),
    ...(limit === undefined ? {} : { limit }),
    ...(after === undefined ? {} : { after }),
  });
  const width = Math.min(Math.max(0, ...page.memories.map(({ name }) => name.length)), 40);
  const lines = page.memories.map((entry) => toLine(entry, width));
  if (page.total === 0) {
    const canBegin = memoryFolders.some(({ kind }) => kind !== "global");
    lines.push(topic === undefined ? noNotes(canBegin) : `No notes below “${printable(topic)}”.`);
  }
  if (page.next !== undefined) {
    lines.push(`${page.memories.length} of ${page.total} shown. More: --after ${shellWord(page.next)}`);
  }
  print(io, options.json === true, lines.join("\n"), { ...page });
}

function noNotes(canBegin: boolean): string {
  return canBegin
    ? 'No notes yet. Write one with: recollect memories write build --content "…"'
    : "No notes, and no project here to write them for. Change to your project's folder, or make this folder a project with: recollect init --project .";
}

function toLine(
  { name, folder, modified, summary, readOnly, shadowed, remark, conflictOf }: MemoryEntry,
  width: number,
): string {
  const day = modified === 0 ? "          " : dayOf(modified);
  const marks = [
    folder,
    ...(readOnly ? ["read-only"] : []),
    ...(shadowed.length > 0 ? [`hides ${shadowed.join(", ")}`] : []),
    ...(conflictOf === undefined ? [] : [`conflict: another version of ${conflictOf}`]),
    ...(remark === undefined ? [] : [remark]),
  ];
  return printable(`${day}  ${name.padEnd(width)}  ${summary}${summary === "" ? "" : "  "}[${marks.join("; ")}]`);
}
