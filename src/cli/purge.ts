import { Command } from "commander";
import { type PurgeReport, RecollectError, type Workspace } from "../index.ts";
import { findFlaggedValue } from "./flagged-value.ts";
import { exitCodes, type Io, print, printable, shellWord } from "./output.ts";
import { askConsent, nobodyToAsk } from "./setup-consent.ts";
import { readTextFile } from "./text-input.ts";
import { parseCount, type WorkspaceOptions, withWorkspace, withWorkspaceOptions } from "./workspace-options.ts";

type PurgeOptions = WorkspaceOptions & {
  readonly valueFile?: string;
  readonly document?: string;
  readonly line?: number;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
};

/** `recollect purge`: a leaked value goes from everything that is kept, and from all that was. */
export function purgeCommand(io: Io, setExitCode: (code: number) => void): Command {
  return withWorkspaceOptions(new Command("purge"))
    .description("remove a leaked value from notes, archives, indexes and all of their history; cannot be undone")
    .option("--value-file <file>", "take the value from a file; without it, from standard input or as you type it")
    .option("--document <name>", "take the value that the guard finds in this note or path, with --line")
    .option("--line <number>", "in this line of it", parseCount)
    .option("--dry-run", "only show where it is")
    .option("--yes", "do it without asking")
    .option("--json", "answer with one JSON object")
    .action((options: PurgeOptions) =>
      withWorkspace(io, options, async (workspace) => {
        const json = options.json === true;
        const value = await readValue(io, options, workspace);
        const seen = await workspace.purge({ value, dryRun: true });
        const consent = options.yes ? "yes" : await consentOf(io, options, seen);
        if (consent !== "yes") {
          if (consent === "only shown") show(io, json, seen);
          return;
        }
        const report = await workspace.purge({ value });
        show(io, json, report);
        if (report.left.length > 0) setExitCode(exitCodes.failed);
      }),
    )
    .addHelpText(
      "after",
      `
Never give the value as an argument: it would stay in the history of your shell. Exit code 1 means that something
could not be cleaned; run it again once that is mended. What left this machine is not reached: change the secret.

Examples:
  $ recollect purge --value-file leaked.txt --dry-run
  $ recollect purge --document auth/login --line 12
  $ pass show old-token | recollect purge --yes`,
    );
}

async function readValue(io: Io, options: PurgeOptions, workspace: Workspace): Promise<string> {
  const { valueFile, document: given, line } = options;
  if (given !== undefined || line !== undefined) {
    if (given === undefined || line === undefined || valueFile !== undefined) {
      throw new RecollectError("INVALID_ARGUMENT", "Give --document and --line together, and no other value.");
    }
    return findFlaggedValue(workspace, given, line);
  }
  const bytes = valueFile === undefined ? await io.readInput() : readTextFile(valueFile, "--value-file");
  const text = bytes ? bytes.toString("utf8") : await io.askSecret?.("The value to remove (not shown): ");
  if (text === undefined || text.trim() === "") {
    throw new RecollectError("INVALID_ARGUMENT", "No value. Pipe it in, or give --value-file.");
  }
  // Whoever pipes it in seldom means the line end.
  return text.replace(/^(\r?\n)+|(\r?\n)+$/g, "");
}

async function consentOf(io: Io, options: PurgeOptions, seen: PurgeReport) {
  if (options.dryRun) return "only shown";
  if (options.json || !io.confirm) throw nobodyToAsk();
  show(io, false, seen);
  return askConsent({}, { confirm: io.confirm }, "Remove it from all of these, for good?");
}

function show(io: Io, json: boolean, report: PurgeReport): void {
  const commands = commandsFor(report);
  print(io, json, linesOf(report, commands).map(printable).join("\n"), { ...report, commands });
}

function linesOf(report: PurgeReport, commands: readonly string[]): string[] {
  const { fingerprint, places, left, tracked } = report;
  const found = places.map(({ root, path, isCurrent, revisions }) => {
    const counted = `${revisions} ${revisions === 1 ? "revision" : "revisions"}`;
    return `  ${root}/${path}: ${isCurrent ? "now, and " : ""}${counted} in history`;
  });
  const done =
    fingerprint === undefined
      ? [places.length === 0 ? "It is in no note, nor in what they were." : "Nothing was changed."]
      : [`Removed. From now on it is known as ${fingerprint}, and nobody can write it here again.`];
  return [
    ...found,
    ...left.map((one) => `  left: ${one}`),
    ...done,
    ...(tracked.length === 0
      ? []
      : [
          "Repositories that are not Recollect's may hold it still. Recollect never rewrites those; commands that do:",
          ...commands.map((command) => `  ${command}`),
          "Whoever has a clone of them has it too.",
        ]),
    ...(fingerprint === undefined ? [] : ["Change the secret: whoever has seen it may use it."]),
  ];
}

/** Printed, never run: they rewrite what others have. */
function commandsFor({ tracked, remotes }: PurgeReport): string[] {
  return tracked.flatMap(({ root, folder }) => {
    const there = `git -C ${shellWord(folder)}`;
    const known = remotes.filter((remote) => remote.root === root);
    return [
      `${there} filter-repo --replace-text FILE   # FILE has one line: VALUE==>‹removed›`,
      ...known.map(({ name, url }) => `${there} push --force-with-lease ${shellWord(name)} --all   # ${url}`),
    ];
  });
}
