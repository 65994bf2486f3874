import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import {
  type Client,
  type ClientName,
  clientNames,
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
  type ServerFlags,
} from "../index.ts";
import { type Io, print, printable } from "./output.ts";
import { applyPlans, askConsent, type ConsentOptions, nobodyToAsk, throwIfRefused } from "./setup-consent.ts";
import { processHost, type SetupHost } from "./setup-host.ts";
import { createPaint, diffLines, entryLines, fileLines, type Paint, planData, say, tildePath } from "./setup-screen.ts";

export interface ClientOptions extends ConsentOptions {
  readonly project?: string;
  readonly client?: readonly ClientName[];
  readonly user?: boolean;
}

interface InitOptions extends ClientOptions, ServerFlags {
  readonly all?: boolean;
  readonly keep?: readonly string[];
}

/** `recollect init`: shows and writes what MCP clients need to start the server for this project. */
export function initCommand(io: Io, host?: SetupHost): Command {
  return withClientOptions(new Command("init"))
    .description("set up MCP clients (Claude Code, Cursor, VS Code, Codex, Gemini CLI) for this project")
    .option("--all", "set up every client, not only those found here")
    .addOption(
      new Option(
        "--keep <key>",
        "keep this key of an entry that a project's file has, such as env; may be repeated",
      ).argParser(collectKey),
    )
    .option("--project-name <name>", "pass on: the name of the project in the bank")
    .option("--additional-folders <folders>", "pass on: further folders with memories, parted by commas")
    .option("--memory-path <folder>", "pass on: the folder of the central bank")
    .option("--agent-id <id>", "pass on: serve the memory files of this agent, too")
    .action((options: InitOptions) => runInit(io, host ?? processHost(io), options))
    .addHelpText(
      "after",
      `
Examples:
  $ recollect init                           show the files for the clients found here, then ask
  $ recollect init --client codex --yes      write for Codex without asking
  $ recollect init --all --dry-run           only show
  $ recollect uninstall                      take it all back`,
    );
}

/** The options that `init` and `uninstall` share. */
export function withClientOptions(command: Command): Command {
  return command
    .option("--project <folder>", "the project (default: the nearest one here or above)")
    .addOption(
      new Option("--client <name>", "only this client; may be repeated")
        .choices([...clientNames])
        .argParser(collectClient),
    )
    .option("--user", "use the client's file in your home folder (Cursor, Codex, Gemini CLI)")
    .option("-y, --yes", "write without asking")
    .addOption(new Option("--dry-run", "only show what would be written"))
    .addOption(new Option("--print", "the same as --dry-run").implies({ dryRun: true }))
    .option("--json", "answer with one JSON object");
}

export function projectOf({ project }: ClientOptions, { surroundings: { cwd, home } }: SetupHost): string {
  // Without a project around, this folder becomes one.
  if (project === undefined) return findProject({ cwd, home })?.folder ?? cwd;
  const folder = resolve(cwd, project);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new RecollectError("INVALID_ARGUMENT", "The folder given with --project does not exist.");
}

/** Whether the server would find this very folder from within it. */
function isMarked(project: string, home: string): boolean {
  return findProject({ cwd: project, home })?.folder === project;
}

export function checkUserFiles(chosen: readonly Client[], { user }: ClientOptions): void {
  const without = user ? chosen.filter(({ userFile }) => userFile === undefined) : [];
  if (without.length === 0) return;
  const names = without.map(({ title }) => title).join(", ");
  throw new RecollectError("INVALID_ARGUMENT", `With --user there is no file to edit for ${names}. Leave --user away.`);
}

interface Setup {
  readonly project: string;
  /** How the clients were chosen, in words. */
  readonly why: string;
  readonly launch: Launch;
  readonly plans: readonly FilePlan[];
  readonly pending: readonly FilePlan[];
  /** The folders that make a project of a folder that is none. */
  readonly makes: readonly string[];
}

async function runInit(io: Io, host: SetupHost, options: InitOptions): Promise<void> {
  const setup = prepare(host, options);
  const { project, launch, plans, pending, makes } = setup;
  const paint = createPaint(host.colour);
  if (!options.json) say(io, planScreen(setup, host, options, paint));
  const idle = pending.length === 0 && makes.length === 0;
  const question = pending.length > 0 ? "Write these files?" : "Make it a project?";
  const consent = idle ? "only shown" : await askConsent(options, host, question);
  if (consent === "yes" && makes.length > 0) makeProject(project);
  const { done, failed } = consent === "yes" ? applyPlans(pending) : { done: [], failed: [] };
  const result = plans.map((plan) => failed.find(({ file }) => file === plan.file) ?? plan);
  if (options.json) {
    const files = result.map((plan) => ({ ...planData(plan), written: done.includes(plan) }));
    print(io, true, "", { project, launch, files, makes, written: consent === "yes" });
  }
  if (consent === "nobody to ask") throw nobodyToAsk();
  if (!options.json) {
    say(io, fileLines(failed, paint));
    if (consent === "yes") say(io, afterScreen(done, launch, options, paint));
    else say(io, [idle ? idleWords(plans) : "Nothing was written."]);
  }
  throwIfRefused(result);
}

function prepare(host: SetupHost, options: InitOptions): Setup {
  const { surroundings } = host;
  const { home, platform, searchPath } = surroundings;
  if (options.user && options.projectName !== undefined) {
    throw new RecollectError(
      "INVALID_ARGUMENT",
      "With --user the entry serves every project, so it cannot hold the name of one. Leave --project-name away.",
    );
  }
  const project = projectOf(options, host);
  const { chosen, why } = chooseClients(options, project, host);
  const launch = findLaunch(surroundings);
  const scope = options.user ? "user" : "project";
  const request = { clients: chosen, scope, project, home, launch, platform, searchPath } as const;
  const plans = planSetup({ ...request, flags: options, keeps: options.keep ?? [] });
  const pending = plans.filter(({ status }) => status === "new" || status === "changed");
  return { project, why, launch, plans, pending, makes: isMarked(project, home) ? [] : [memoriesFolder] };
}

function planScreen(setup: Setup, host: SetupHost, { user }: InitOptions, paint: Paint): string[] {
  const { project, why, launch, plans, pending, makes } = setup;
  const head = `${paint.bold("Recollect")} for ${printable(tildePath(project, host.surroundings.home))}`;
  return [
    why === "" ? head : `${head}  ${paint.dim(`(${why})`)}`,
    "",
    ...fileLines(plans, paint),
    ...makes.map((folder) => `  ${paint.dim(`This folder is no project yet; ${folder}/ makes it one.`)}`),
    ...entryLines(plans, paint),
    ...diffLines(plans, paint),
    "",
    ...(pending.length > 0 ? [`The server starts with ${launchWords(launch, host)}.`] : []),
    ...(user && pending.length > 0 ? projectWords(pending) : []),
  ];
}

function chooseClients(options: InitOptions, project: string, host: SetupHost): { chosen: Client[]; why: string } {
  const { client: named, all, user } = options;
  if (named !== undefined && all) {
    throw new RecollectError("INVALID_ARGUMENT", "Give --client or --all, not both.");
  }
  if (named !== undefined) {
    const chosen = clients.filter(({ name }) => named.includes(name));
    checkUserFiles(chosen, options);
    return { chosen, why: "" };
  }
  const usable = clients.filter(({ userFile }) => !user || userFile !== undefined);
  if (all) return { chosen: usable, why: "" };
  const found = detectClients(project, host.surroundings).filter((client) => usable.includes(client));
  if (found.length > 0) return { chosen: found, why: "clients found here; --client or --all choose others" };
  return { chosen: usable.slice(0, 1), why: "no client found; --client or --all choose others" };
}

function launchWords(launch: Launch, { nodeVersion }: SetupHost): string {
  switch (launch.kind) {
    case "checkout":
      return `node ${printable(launch.bin)} (this checkout; Node ${nodeVersion} here)`;
    case "global":
      return "the installed command recollect";
    case "npx":
      return "npx -y recollect";
  }
}

/** The user's own file serves every project: how the server knows which one it is in. */
function projectWords(plans: readonly FilePlan[]): string[] {
  const chosen = clients.filter(({ name }) => plans.some(({ client }) => client === name));
  return chosen.map(({ title, userProjectArgument }) =>
    userProjectArgument === undefined
      ? `${title}: the project is the nearest one in or above the folder in which ${title} is started.`
      : `${title}: the project is the folder that is open (${userProjectArgument}).`,
  );
}

function afterScreen(done: readonly FilePlan[], launch: Launch, options: InitOptions, paint: Paint): string[] {
  const chosen = clients.filter(({ name }) => done.some(({ client }) => client === name));
  const remarks = chosen.flatMap(({ title, remark }) =>
    remark === undefined || options.user ? [] : [`  ${title} ${remark}.`],
  );
  const titles = chosen.map(({ title }) => title).join(", ");
  return [
    `Wrote ${counted(done.length, "file")}.`,
    ...remarks,
    "",
    ...ignoreWords(done, launch, options),
    "",
    paint.bold("Next"),
    `  1. Restart ${titles === "" ? "your client" : titles}.`,
    "  2. Ask it: what do you remember?",
    "  3. If it does not answer from memory: recollect doctor",
  ];
}

/** What belongs into .gitignore, said as it is: normally nothing. */
function ignoreWords(done: readonly FilePlan[], launch: Launch, options: InitOptions): string[] {
  const bound = done.filter(({ client }) => {
    const usesPath = clients.find(({ name }) => name === client)?.projectArgument === undefined;
    return usesPath || launch.kind === "checkout" || isAbsolute(options.memoryPath ?? "");
  });
  const memories = `Memories lie in ${memoriesFolder}/ and are meant to be committed.`;
  if (options.user || bound.length === 0) {
    return [memories, "Nothing belongs into .gitignore: the folders .recollect/ ignore themselves."];
  }
  return [
    memories,
    "The folders .recollect/ ignore themselves. These files hold paths of this machine;",
    `put them into .gitignore unless you share them on purpose: ${bound.map(({ shown }) => shown).join(", ")}`,
  ];
}

function idleWords(plans: readonly FilePlan[]): string {
  return plans.some(({ status }) => status === "refused")
    ? "Nothing was written."
    : "Everything is set up already; nothing to write.";
}

function collectClient(value: string, previous: readonly ClientName[] = []): ClientName[] {
  const name = clientNames.find((each) => each === value);
  if (name === undefined) throw new InvalidArgumentError(`Known clients: ${clientNames.join(", ")}.`);
  return [...previous, name];
}

function collectKey(value: string, previous: readonly string[] = []): string[] {
  if (["type", "command", "args"].includes(value)) throw new InvalidArgumentError("That key is always ours.");
  return [...previous, value];
}
