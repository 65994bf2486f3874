import { hash } from "node:crypto";
import { Command } from "commander";
import { createGuard, type PurgeReport, RecollectError, type Workspace } from "../app.ts";
import { minuteOf } from "./local-time.ts";
import { type ExitCode, exitCodes, type Io, print, printable } from "./output.ts";
import { purgeCommands, purgeLines } from "./purge-text.ts";
import { askConsent, nobodyToAsk } from "./setup-consent.ts";
import { readTextFile } from "./text-input.ts";
import { parseCount, type WorkspaceOptions, withWorkspace, withWorkspaceOptions } from "./workspace-options.ts";

type PurgeOptions = WorkspaceOptions & {
  readonly valueFile?: string;
  readonly document?: string;
  readonly line?: number;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly refuse?: boolean;
  readonly list?: boolean;
  readonly takeBack?: string;
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
    .option("--refuse", "refuse to store it from now on, even if it is found nowhere")
    .option("--list", "only list the values that nobody may write any more, by their fingerprints")
    .option("--take-back <fingerprint>", "let such a value be written again")
    .option("--json", "answer with one JSON object")
    .action((options: PurgeOptions) =>
      withWorkspace(io, options, async (workspace) => {
        if (options.list || options.takeBack !== undefined) return showKnown(io, options, workspace);
        setExitCode(await purge(io, options, workspace));
      }),
    )
    .addHelpText(
      "after",
      `
Never give the value as an argument: it would stay in the history of your shell. Exit code 1 means that something
could not be cleaned; run it again once that is mended. 3 means that it was found nowhere: then it can still be written,
unless --refuse says otherwise. What left this machine is not reached: change the secret.

Examples:
  $ recollect purge --value-file leaked.txt --dry-run
  $ recollect purge --document auth/login --line 12
  $ pass show old-token | recollect purge --yes
  $ recollect purge --list
  $ recollect purge --take-back 0a1b2c3d4e5f6071`,
    );
}

async function purge(io: Io, options: PurgeOptions, workspace: Workspace): Promise<ExitCode> {
  const value = await readValue(io, options, workspace);
  const seen = await workspace.purge({ value, dryRun: true });
  const asks = !options.yes || options.dryRun === true;
  const consent = asks ? await consentOf(io, options, seen) : "yes";
  if (consent !== "yes") {
    if (consent === "only shown") show(io, options.json === true, seen, false);
    return seen.isFound ? exitCodes.done : exitCodes.notFound;
  }
  // A person who says yes to a value that was found nowhere has said yes to refusing it.
  const refuse = options.refuse || (asks && !seen.isFound);
  const report = await workspace.purge({ value, refuse });
  show(io, options.json === true, report, true);
  return exitCodeOf(report);
}

/** The values themselves are nowhere to be read. */
async function showKnown(io: Io, { json = false, takeBack }: PurgeOptions, { purgedValues }: Workspace): Promise<void> {
  if (takeBack === undefined) {
    const values = await purgedValues.list();
    const lines = values.map(({ fingerprint, purgedAt }) => `${fingerprint}  purged ${minuteOf(purgedAt)}`);
    print(io, json, lines.join("\n") || "No value is refused.", { values });
    return;
  }
  if (!(await purgedValues.remove(takeBack))) {
    throw new RecollectError("NOT_FOUND", `No value is known as “${takeBack}”. See: recollect purge --list`);
  }
  const says = `What was known as ${takeBack} can be written again. Where it was removed, it stays removed.`;
  print(io, json, says, { fingerprint: takeBack });
}

function exitCodeOf(report: PurgeReport): ExitCode {
  if (!report.isFound) return exitCodes.notFound;
  return report.left.length > 0 ? exitCodes.failed : exitCodes.done;
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
  if (seen.isFound) show(io, false, seen, false);
  const question = seen.isFound
    ? "Remove it from all of these, for good?"
    : "Not found in any note or in history. Refuse it from now on anyway?";
  return askConsent({}, { confirm: io.confirm }, question);
}

function show(io: Io, json: boolean, report: PurgeReport, isDone: boolean): void {
  const commands = purgeCommands(report);
  print(io, json, purgeLines(report, commands, isDone).map(printable).join("\n"), { ...report, commands });
}

const longestValue = 8192;

/**
 * The value that the guard finds in a line. A finding does not hold it: it is the text from where the finding begins
 * whose fingerprint is that of the finding.
 */
async function findFlaggedValue(workspace: Workspace, name: string, line: number): Promise<string> {
  const { at } = await workspace.history.locate(name);
  const text = (await workspace.history.show(at)).text ?? "";
  const guard = createGuard({ policy: "standard", allowed: new Set() });
  const findings = guard.scan(text).filter((one) => one.line === line);
  const from =
    text
      .split("\n")
      .slice(0, line - 1)
      .join("\n").length + (line > 1 ? 1 : 0);
  for (const { rule, column, fingerprint } of findings) {
    const start = from + column - 1;
    for (let end = Math.min(text.length, start + longestValue); end > start; end -= 1) {
      const value = text.slice(start, end);
      if (hash("sha256", `${rule}\n${value}`, "hex").slice(0, 32) === fingerprint) return value;
    }
  }
  throw new RecollectError(
    "NOT_FOUND",
    findings.length === 0
      ? `The guard finds nothing in line ${line}. Give the value itself, by --value-file or on standard input.`
      : "What the guard finds there cannot be told from the rest. Give the value itself, by --value-file.",
  );
}
