import { Command } from "commander";
import { clients, detectClients, diagnose, type Finding, findLaunch, planSetup } from "../index.ts";
import { exitCodes, type Io, print, printable } from "./output.ts";
import { processHost, type SetupHost } from "./setup-host.ts";
import { createPaint, type Paint, say } from "./setup-screen.ts";
import { version } from "./version.ts";
import { type WorkspaceOptions, withWorkspace, withWorkspaceOptions } from "./workspace-options.ts";

/** `recollect doctor`: what is wrong, and what mends it. */
export function doctorCommand(io: Io, setExitCode: (code: number) => void, given?: SetupHost): Command {
  return withWorkspaceOptions(new Command("doctor"))
    .description("look for what is wrong, and say how to mend it; exit code 1 if there is anything")
    .option("--json", "answer with one JSON object")
    .action((options: WorkspaceOptions) =>
      withWorkspace({ ...io, err: () => {} }, options, async (workspace) => {
        const host = given ?? processHost(io);
        const findings = [
          { level: "fine", about: "version", says: `Recollect ${version} on Node ${process.versions.node}` } as const,
          ...(await diagnose(workspace)),
          ...clientFindings(workspace.project?.folder, host),
        ];
        const problems = findings.filter(({ level }) => level === "problem").length;
        if (options.json) print(io, true, "", { findings, problems });
        else say(io, toScreen(findings, problems, createPaint(host.colour)));
        if (problems > 0) setExitCode(exitCodes.failed);
      }),
    )
    .addHelpText(
      "after",
      `
Examples:
  $ recollect doctor
  $ recollect doctor --json --project ~/work/shop`,
    );
}

/** Whether a client of this project knows of Recollect: nobody remembers anything otherwise. */
function clientFindings(project: string | undefined, { surroundings }: SetupHost): Finding[] {
  if (project === undefined) return [];
  const { home, platform } = surroundings;
  const launch = findLaunch(surroundings);
  const plans = planSetup({ clients, scope: "project", project, home, launch, platform, flags: {} });
  const known = plans.filter(({ status, replaces }) => status === "unchanged" || replaces);
  const refused = plans.filter(({ status }) => status === "refused");
  const set = known.map(({ title }) => title).join(", ");
  const found = detectClients(project, surroundings).map(({ title }) => title);
  const says = found.length > 0 ? `none set up here (found: ${found.join(", ")})` : "none set up here";
  return [
    set === ""
      ? { level: "note", about: "clients", says, remedy: "recollect init" }
      : { level: "fine", about: "clients", says: set },
    ...refused.map(
      ({ shown, reason }): Finding => ({ level: "problem", about: "clients", says: `${shown}: ${reason}` }),
    ),
  ];
}

function toScreen(findings: readonly Finding[], problems: number, paint: Paint): string[] {
  const marks = { fine: paint.green("✓"), note: paint.yellow("•"), problem: paint.red("✗") };
  const width = Math.max(...findings.map(({ about }) => about.length));
  const lines = findings.flatMap(({ level, about, says, remedy }) => [
    `${marks[level]} ${about.padEnd(width)}  ${printable(says)}`,
    ...(remedy === undefined ? [] : [`  ${"".padEnd(width)}  ${paint.dim(`→ ${printable(remedy)}`)}`]),
  ]);
  const end = problems === 0 ? "Nothing is wrong." : problems === 1 ? "1 problem." : `${problems} problems.`;
  return [...lines, "", end];
}
