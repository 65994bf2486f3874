import { Command } from "commander";
import { counted, diagnose, type Finding, findProject, isRecollectError, type Workspace } from "../app.ts";
import { agentFindings } from "./agent-findings.ts";
import { type ExitCode, exitCodes, type Io, print, printable } from "./output.ts";
import { processHost, type SetupHost } from "./setup-host.ts";
import { createPaint, type Paint, say } from "./setup-screen.ts";
import { version } from "./version.ts";
import { flagsOf, type WorkspaceOptions, withWorkspace, withWorkspaceOptions } from "./workspace-options.ts";

/** `recollect doctor`: what is wrong, and what repairs it. */
export function doctorCommand(io: Io, setExitCode: (code: number) => void, given?: SetupHost): Command {
  return withWorkspaceOptions(new Command("doctor"))
    .description("find what is wrong, and say how to repair it")
    .option("--json", "answer with one JSON object")
    .action(async (options: WorkspaceOptions) => {
      const host = given ?? processHost(io);
      const { findings: found, project } = await look(io, options, host);
      const findings = [
        { level: "fine", about: "version", says: `Recollect ${version} on Node ${process.versions.node}` } as const,
        ...found,
        ...(await agentFindings(project, host)),
      ];
      const problems = findings.filter(({ level }) => level === "problem").length;
      if (options.json) print(io, true, "", { findings, problems });
      else say(io, toScreen(findings, problems, createPaint(host.colour)));
      setExitCode(codeOf(findings, problems));
    })
    .addHelpText(
      "after",
      `
Exit codes of this command:
  0  nothing was found to be wrong
  1  there are problems
  6, 7 and 8 as recollect verify has them; doctor does the same checks, but does not compare the search index

Examples:
  $ recollect doctor
  $ recollect doctor --json --project ~/shop`,
    );
}

/** Never better than that of verify, which finds the same. */
function codeOf(findings: readonly Finding[], problems: number): ExitCode {
  const has = (what: Finding["verified"]) => findings.some(({ verified }) => verified === what);
  if (has("damaged")) return exitCodes.damaged;
  if (has("unchecked")) return exitCodes.storage;
  if (problems > 0) return exitCodes.failed;
  return has("changed outside") ? exitCodes.changedOutside : exitCodes.done;
}

/** A broken settings file is a finding like others, and hides none of them. */
async function look(
  io: Io,
  options: WorkspaceOptions,
  { surroundings: { cwd, home } }: SetupHost,
): Promise<{ findings: Finding[]; project: string | undefined }> {
  const given = options.project === undefined ? {} : { project: options.project };
  // A project that does not exist is no finding, but a wrong word on the command line.
  let project = findProject({ cwd, home, ...(given.project === undefined ? {} : { given: given.project }) })?.folder;
  let findings: Finding[] | undefined;
  try {
    const inspect = async (workspace: Workspace) => {
      project = workspace.project?.folder;
      findings = await diagnose(workspace);
    };
    await withWorkspace({ ...io, err: () => {} }, options, inspect, { opensVanished: true });
  } catch (failed) {
    if (!isRecollectError(failed) || findings !== undefined) throw failed;
    findings = await diagnose({ failed, options: { flags: flagsOf(options), cwd, home, ...io.place, ...given } });
  }
  return { findings: findings ?? [], project };
}

function toScreen(findings: readonly Finding[], problems: number, paint: Paint): string[] {
  const marks = { fine: paint.green("✓"), note: paint.yellow("•"), problem: paint.red("✗") };
  const width = Math.max(...findings.map(({ about }) => about.length));
  const lines = findings.flatMap(({ level, about, says, remedy }) => [
    `${marks[level]} ${about.padEnd(width)}  ${printable(says)}`,
    ...(remedy === undefined ? [] : [`  ${"".padEnd(width)}  ${paint.dim(`→ ${printable(remedy)}`)}`]),
  ]);
  return [...lines, "", endOf(findings, problems)];
}

function endOf(findings: readonly Finding[], problems: number): string {
  if (problems > 0) return `${counted(problems, "problem")}.`;
  if (findings.some(({ verified }) => verified !== undefined)) return "No problems, but changes outside: see above.";
  return "No problems found. To compare the search index with the documents as well: recollect verify";
}
