import { Command, InvalidArgumentError, Option } from "commander";
import {
  type Client,
  clients,
  counted,
  detectClients,
  type FilePlan,
  findLaunch,
  findProject,
  type Launch,
  makeProject,
  memoriesFolder,
  planSetup,
  RecollectError,
  readSkills,
  type Scope,
  type ServerFlags,
} from "../app.ts";
import { printForOthers } from "./init-print.ts";
import {
  applyProject,
  isSettled,
  type ProjectOptions,
  type ProjectSetup,
  prepareProject,
  projectLines,
} from "./init-project.ts";
import { type Io, print, printable } from "./output.ts";
import { applyPlans, askAboutNotes, askConsent, nobodyToAsk, throwIfRefused } from "./setup-consent.ts";
import { processHost, type SetupHost } from "./setup-host.ts";
import { type ClientOptions, projectOf, requireHome, scopeOf, withClientOptions } from "./setup-options.ts";
import { createPaint, diffLines, entryLines, type Paint, planData, planLines, say, tildePath } from "./setup-screen.ts";

interface InitOptions extends ClientOptions, ServerFlags, ProjectOptions {
  readonly all?: boolean;
  readonly keep?: readonly string[];
  readonly print?: boolean;
}

/** `recollect init`: shows and writes what clients need to remember. */
export function initCommand(io: Io, host?: SetupHost): Command {
  return withClientOptions(new Command("init"))
    .description("set up your coding agents: server, hooks, skills, and permission to call the tools that read and add")
    .option("--project [folder]", "only for one project, in its files (default: the nearest one here or above)")
    .option("--shared", "the same in the files that a team commits: your colleagues' clients will run them, too")
    .option("--private", "have git ignore the notes of this project, in this copy of the repository")
    .option("--committed", "leave the notes of this project to be committed")
    .option("--no-adopt", "leave out what your clients remember about this project already")
    .option("--agents-md", "also write six lines into AGENTS.md that tell agents when to search and to store")
    .option("--all", "set up every client, not only those found here")
    .addOption(
      new Option(
        "--keep <key>",
        "keep this key of an entry that a project's file has, such as env; may be repeated",
      ).argParser(collectKey),
    )
    .option("--print", "print what any other client needs, and write nothing")
    .option("--project-name <name>", "pass on: the name of the project in the bank")
    .option("--additional-folders <folders>", "pass on: further folders with memories, separated by commas")
    .option("--memory-path <folder>", "pass on: the folder of the central bank")
    .option("--agent-id <id>", "pass on: serve the memory files of this agent, too")
    .action((options: InitOptions) => {
      const found = host ?? processHost(io);
      if (options.print) return printForOthers(io, found, options.json === true, options);
      return runInit(io, found, options);
    })
    .addHelpText(
      "after",
      `
Examples:
  $ recollect init                           show what the clients found here would get, then ask
  $ recollect init --client codex --yes      set up Codex without asking
  $ recollect init --project                 for this project alone
  $ recollect init --dry-run --verbose       only show, every line
  $ recollect uninstall                      take it all back`,
    );
}

interface Setup {
  readonly scope: Scope;
  /** The project named by an option, or the one around the working directory. */
  readonly project: string | undefined;
  readonly chosen: readonly Client[];
  /** How the clients were chosen, in words. */
  readonly why: string;
  readonly launch: Launch;
  readonly plans: readonly FilePlan[];
  /** The folders that make a project of a folder that is none. */
  readonly makes: readonly string[];
  /** What is done for the project itself. */
  readonly own: ProjectSetup | undefined;
}

async function runInit(io: Io, host: SetupHost, options: InitOptions): Promise<void> {
  const setup = await prepare(host, options);
  const { project, scope, launch, makes, own } = setup;
  const paint = createPaint(host.colour);
  const byDefault = defaultNotes(scope);
  const shown = [...setup.plans, ...(own?.plans(own.notes ?? byDefault) ?? [])];
  if (!options.json) say(io, planScreen(setup, shown, host, options, paint));
  const isIdle = !shown.some(isPending) && makes.length === 0 && (own === undefined || isSettled(own));
  const { consent, notes } = await ask(setup, isIdle, byDefault, host, options);
  const plans = [...setup.plans, ...(own?.plans(notes) ?? [])];
  const { done, failed } = consent === "yes" ? carryOut(setup, plans, notes, host) : { done: [], failed: [] };
  const result = plans.map((plan) => failed.find(({ path }) => path === plan.path) ?? plan);
  if (options.json) {
    const files = result.map((plan) => ({ ...planData(plan), written: done.includes(plan) }));
    const about = own && { recall: own.allows, notes: own.git && notes, adopts: own.adopts?.folder };
    print(io, true, "", { scope, project, launch, files, makes, ...about, written: consent === "yes" });
  }
  if (consent === "nobody to ask") throw nobodyToAsk();
  if (!options.json) {
    say(io, planLines(failed, paint));
    if (consent === "yes") say(io, afterScreen(setup, done, paint));
    else say(io, [isIdle ? idleWords(plans) : "Nothing was written."]);
  }
  throwIfRefused(result);
}

function carryOut(
  { project, makes, own }: Setup,
  plans: readonly FilePlan[],
  notes: "private" | "committed",
  host: SetupHost,
): ReturnType<typeof applyPlans> {
  if (makes.length > 0 && project !== undefined) makeProject(project);
  const applied = applyPlans(plans.filter(isPending));
  if (own !== undefined) applyProject(own, own.git && notes, userOf(host));
  return applied;
}

async function ask(
  { own }: Setup,
  isIdle: boolean,
  byDefault: "private" | "committed",
  host: SetupHost,
  options: InitOptions,
): Promise<Awaited<ReturnType<typeof askAboutNotes>>> {
  const notes = own?.notes ?? byDefault;
  if (isIdle) return { consent: "only shown", notes };
  if (own !== undefined && own.notes === undefined) return askAboutNotes(options, host, byDefault);
  return { consent: await askConsent(options, host, "Do this?"), notes };
}

/** Nothing is published without a word of the user; files for a team are such a word. */
function defaultNotes(scope: Scope): "private" | "committed" {
  return scope === "shared" ? "committed" : "private";
}

function isPending({ status }: FilePlan): boolean {
  return status === "new" || status === "changed";
}

async function prepare(host: SetupHost, options: InitOptions): Promise<Setup> {
  const { surroundings } = host;
  const { home } = surroundings;
  requireHome(host);
  const scope = scopeOf(options);
  checkOptions(options, scope);
  const given = projectOf(options, host);
  // A folder without a project around becomes one where its own files are written.
  const project = given ?? (scope === "user" ? undefined : surroundings.cwd);
  const { chosen, why } = chooseClients(options, project ?? home, host, scope);
  const launch = findLaunch(surroundings);
  const plans = planSetup({
    ...surroundings,
    clients: chosen,
    scope,
    project: project ?? home,
    launch,
    flags: options,
    keeps: options.keep ?? [],
    skills: readSkills(surroundings.packageFolder),
  });
  const isMarked = project === undefined || findProject({ cwd: project, home })?.folder === project;
  const makes = scope === "user" || isMarked ? [] : [memoriesFolder];
  const lacksHooks = chosen.some(
    ({ files }) => files[scope]?.hooks === undefined && files[scope]?.plugin === undefined,
  );
  const about = { scope, user: userOf(host), options, files: plans, lacksHooks };
  const own = project === undefined ? undefined : await prepareProject({ project, ...about });
  return { scope, project, chosen, why, launch, plans, makes, own };
}

function checkOptions({ projectName, ...given }: InitOptions, scope: Scope): void {
  if (scope === "user" && projectName !== undefined) {
    throw new RecollectError(
      "INVALID_ARGUMENT",
      "The entry serves every project, so it cannot hold the name of one. Add --project, or leave --project-name away.",
    );
  }
  if (given.private && given.committed) {
    throw new RecollectError("INVALID_ARGUMENT", "Give --private or --committed, not both.");
  }
}

function userOf({ surroundings: { home, platform, env = {} } }: SetupHost) {
  return { home, platform, env };
}

function planScreen(
  { project, scope, why, launch, makes, own }: Setup,
  plans: readonly FilePlan[],
  host: SetupHost,
  { verbose, yes }: InitOptions,
  paint: Paint,
): string[] {
  const { home } = host.surroundings;
  const byDefault = yes ? defaultNotes(scope) : undefined;
  const here = project === undefined ? "" : printable(tildePath(project, home));
  const whom = {
    user: "for you, in every project",
    project: `for ${here} alone`,
    shared: `for everyone who works on ${here}`,
  }[scope];
  const head = `${paint.bold("Recollect")} ${whom}`;
  const isWriting = plans.some(isPending);
  return [
    why === "" ? head : `${head}  ${paint.dim(`(${why})`)}`,
    ...planLines(plans, paint),
    ...entryLines(plans, paint),
    ...diffLines(verbose ? plans : plans.filter(({ replaces }) => replaces), paint),
    "",
    ...(isWriting ? [`The server starts with ${launchWords(launch, host)}.`] : []),
    ...(scope === "shared" && isWriting
      ? [
          paint.yellow(
            "These files are meant to be committed: the client of a colleague who pulls them would run them.",
          ),
        ]
      : []),
    ...(scope === "shared" ? machineWords(plans, launch, paint) : []),
    ...makes.map((folder) => `This folder is no project yet; ${folder}/ makes it one.`),
    ...(own === undefined ? [] : projectLines(own, home, byDefault)),
  ];
}

function chooseClients(
  { client: named, all }: InitOptions,
  project: string,
  host: SetupHost,
  scope: Scope,
): { chosen: Client[]; why: string } {
  if (named !== undefined && all) {
    throw new RecollectError("INVALID_ARGUMENT", "Give --client or --all, not both.");
  }
  const usable = clients.filter(({ files }) => files[scope] !== undefined);
  if (named !== undefined) return { chosen: usable.filter(({ name }) => named.includes(name)), why: "" };
  if (all) return { chosen: usable, why: "" };
  const found = detectClients(project, host.surroundings).filter((client) => usable.includes(client));
  const chosen = found.filter((client) => client.isVerified !== false);
  const others = found.filter((client) => client.isVerified === false).map(({ name }) => `--client ${name}`);
  const documented = others.length === 0 ? "" : `; found, but only documented, not verified by us: ${others.join(" ")}`;
  if (chosen.length > 0) return { chosen, why: `clients found here; --client or --all choose others${documented}` };
  const known = usable.map(({ title, name }) => `${title} (--client ${name})`).join(", ");
  const says = `No client was found here${documented}. Name one: ${known}; or --all of them. For any other: --print`;
  throw new RecollectError("NOT_FOUND", says);
}

/** What a colleague could not start. */
function machineWords(plans: readonly FilePlan[], launch: Launch, paint: Paint): string[] {
  if (launch.kind !== "checkout") return [];
  const bound = plans.filter(({ after }) => after?.includes(launch.bin)).map(({ shown }) => shown);
  if (bound.length === 0) return [];
  const files = bound.map(printable).join(", ");
  return [paint.yellow(`They name a checkout on this machine, which others have not: ${files}.`)];
}

function launchWords(launch: Launch, { nodeVersion }: SetupHost): string {
  switch (launch.kind) {
    case "checkout":
      return `node ${printable(launch.bin)} (this checkout; Node ${nodeVersion} here)`;
    case "global":
      return "the installed command recollect";
    case "npx":
      return "npx -y recollect; hooks, too, so each prompt waits for npx: npm install -g recollect is quicker";
  }
}

function afterScreen({ chosen, scope }: Setup, done: readonly FilePlan[], paint: Paint): string[] {
  const touched = chosen.filter(({ name }) => done.some(({ client }) => client === name));
  const steps = touched.flatMap(({ title, steps }) => (steps[scope] ?? []).map((step) => `${title}: ${step}`));
  return [
    `Wrote ${counted(done.length, "file")}. recollect uninstall gives each back as it was.`,
    ...(touched.length === 0
      ? []
      : [
          "",
          paint.bold("What is left to you"),
          `  - Restart ${touched.map(({ title }) => title).join(", ")}.`,
          ...steps.map((step) => `  - ${step}`),
          "",
          "recollect doctor says whether each is connected.",
        ]),
  ];
}

function idleWords(plans: readonly FilePlan[]): string {
  return plans.some(({ status }) => status === "refused")
    ? "Nothing was written."
    : "Everything is set up already; nothing to write.";
}

function collectKey(value: string, previous: readonly string[] = []): string[] {
  if (["type", "command", "args"].includes(value)) throw new InvalidArgumentError("That key is always ours.");
  return [...previous, value];
}
