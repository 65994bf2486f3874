import { Command, Option } from "commander";
import {
  type DriverResult,
  type DriverSetup,
  findLaunch,
  planMergeDriver,
  programLine,
  RecollectError,
  runMergeDriver,
  type Surroundings,
} from "../app.ts";
import { exitCodes, type Io, print, printable, shellWord } from "./output.ts";
import { askConsent, type ConsentOptions, nobodyToAsk } from "./setup-consent.ts";
import { processHost, type SetupHost } from "./setup-host.ts";
import { type WorkspaceOptions, withWorkspace, withWorkspaceOptions } from "./workspace-options.ts";

type DriverOptions = WorkspaceOptions &
  ConsentOptions & {
    readonly install?: boolean;
    readonly uninstall?: boolean;
    readonly topics?: readonly string[];
    readonly base?: boolean;
  };

/** `recollect merge-driver`: our merge for projects that commit their memory themselves; git runs it. */
export function mergeDriverCommand(io: Io, setExitCode: (code: number) => void, host?: SetupHost): Command {
  return withWorkspaceOptions(new Command("merge-driver"))
    .helpGroup("Advanced:")
    .description("have git merge the memory that a project commits by entry, without conflict markers")
    .argument("[files...]", "given by git: base, ours, theirs, and the path in the repository (%O %A %B %P)")
    .option("--install", "set it up in this repository (.git/config and .gitattributes), after showing it")
    .option("--uninstall", "take it out again")
    .addOption(
      new Option("--topics <folder>", "given by git: a folder of topics in the repository; may be repeated").argParser(
        (text: string, before?: string[]) => [...(before ?? []), text],
      ),
    )
    .option("--base", "given by git: two former revisions are joined, and nothing is kept beside them")
    .option("-y, --yes", "set it up without asking")
    .option("--dry-run", "only show what would be set up")
    .option("--json", "answer with one JSON object")
    .action((files: string[], options: DriverOptions) =>
      options.install || options.uninstall
        ? setUp(io, options, host ?? processHost(io))
        : merge(io, files, options, setExitCode),
    )
    .addHelpText(
      "after",
      `
A file in which both sides changed the same lines ends with exit code 1, so that git stops as at any conflict: the
file holds one version, the other lies beside it, and recollect resolve settles it. The command that is printed then
tells git of these two files, and of nothing else: a note that --keep both makes is yours to add. Git does not ask a
driver where one side deleted or renamed a file; then it keeps what the other changed, and says so.

Examples:
  $ recollect merge-driver --install
  $ recollect merge-driver --uninstall --yes`,
    );
}

async function merge(
  io: Io,
  files: readonly string[],
  { topics = [], base: isForBase }: DriverOptions,
  setExitCode: (code: number) => void,
): Promise<void> {
  const [base, ours, theirs, path, ...more] = files;
  if (base === undefined || ours === undefined || theirs === undefined || path === undefined || more.length > 0) {
    throw new RecollectError(
      "INVALID_ARGUMENT",
      "Git gives four files. To have it do so: recollect merge-driver --install",
    );
  }
  const { cwd, env } = io.place ?? { cwd: process.cwd(), env: process.env };
  const result = await runMergeDriver({ cwd, env, base, ours, theirs, path, topics, isForBase });
  // Git shows stderr; stdout may be read by whoever runs git.
  for (const line of wordsOf(result, path, cwd)) io.err(`recollect: ${printable(line)}\n`);
  if (result.kind !== "merged") setExitCode(exitCodes.failed);
}

function wordsOf(result: DriverResult, path: string, top: string): string[] {
  if (result.kind === "left") {
    return [
      `${path}: both sides changed the same lines, and ${result.why}. It is as it was here; git has both versions.`,
    ];
  }
  const doubled = result.doubled.map((title) => `“${title}”`).join(", ");
  return [
    ...(doubled === "" ? [] : [`${path}: both versions are kept of ${doubled}.`]),
    ...(result.kind === "merged"
      ? []
      : [
          `${path}: both sides changed the same lines; the other version is ${result.beside}.`,
          `Settle it with recollect resolve (a note that --keep both makes is yours to add), then: ${stagingOf(top, path, result.beside)}`,
        ]),
  ];
}

/**
 * Stages these files as they are then, from wherever it is called. `git add` refuses all of a command that names what is
 * neither there nor tracked, as the other version is once it was settled, and a pattern takes neighbours as well.
 */
function stagingOf(top: string, path: string, beside: string): string {
  // Another name than the file's where a long one was cut: resolve takes it for the note that the version belongs to.
  const original = beside.replace(/\.conflict-[0-9a-f]+(?=(?:\.[^./]*)?$)/, "");
  const files = [...new Set([path, beside, original])].map(shellWord);
  return `git -C ${shellWord(top)} update-index --add --remove -- ${files.join(" ")}`;
}

async function setUp(io: Io, options: DriverOptions, host: SetupHost): Promise<void> {
  if (options.install && options.uninstall) {
    throw new RecollectError("INVALID_ARGUMENT", "Give --install or --uninstall, not both.");
  }
  const command = options.install ? commandOf(host.surroundings) : undefined;
  await withWorkspace(io, options, async (workspace) => {
    const setup = await planMergeDriver(workspace, { command, env: io.place?.env ?? process.env });
    if (!options.json) for (const line of screenOf(setup)) io.out(`${line}\n`);
    const consent = setup.isDone ? "only shown" : await askConsent(options, host, "Write this?");
    if (consent === "yes") await setup.apply();
    const { folders, config, diff } = setup;
    if (options.json) print(io, true, "", { folders, config, diff: diff.join("\n"), written: consent === "yes" });
    if (consent === "nobody to ask") throw nobodyToAsk();
    if (!options.json) io.out(`${outcomeOf(setup, consent === "yes", options)}\n`);
  });
}

function screenOf({ folders, config, diff }: DriverSetup): string[] {
  const settings = config.map(({ key, value, was }) =>
    value === undefined ? `- ${key} = ${was}` : `+ ${key} = ${value}`,
  );
  return [
    ...folders.ignored.map((folder) => `${folder} is left out: git ignores it.`),
    ...(settings.length > 0 ? [".git/config", ...settings.map((line) => `  ${line}`), ""] : []),
    ...(diff.length > 0 ? [".gitattributes", ...diff.map((line) => `  ${line}`), ""] : []),
  ].map(printable);
}

function outcomeOf({ isDone }: DriverSetup, written: boolean, { install }: DriverOptions): string {
  if (isDone) return install ? "It is set up already." : "It is not set up here; nothing to take out.";
  if (!written) return "Nothing was written.";
  if (!install) return "Taken out. Git merges memory as it merges anything else.";
  return "Set up. Commit .gitattributes; who clones this runs the same command once, or git merges by lines there.";
}

/** Git runs the command in its own shell, even on Windows. */
function commandOf(surroundings: Surroundings): string[] {
  return programLine({ ...surroundings, launch: findLaunch(surroundings) }, "user", false);
}
