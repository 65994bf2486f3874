import { homedir } from "node:os";
import { join } from "node:path";
import { Command, Option } from "commander";
import { makeFolders, openWorkspace, userDataFolder, type Workspace } from "../app.ts";
import { exitCodes, type Io, print, printable } from "./output.ts";
import { keepYoungSpaceSmall } from "./small-young-space.ts";
import { serveFlagsOf, type WorkspaceOptions, withServeOptions } from "./workspace-options.ts";

const recoverAfterMs = 1000;
const sameSignalMs = 500;
const parentLookMs = 500;

/** `recollect serve`: MCP over HTTP, the JSON API and the dashboard, until it is told to stop. */
export function serveCommand(io: Io, version: string): Command {
  return withServeOptions(new Command("serve"))
    .description("serve this project's memory over HTTP: MCP for agents, a dashboard for people")
    .addOption(
      new Option("--embedded", "on a workspace of its own in your data folder, instead of a project's").conflicts(
        "project",
      ),
    )
    .option("--no-own-token", "make no token for the user who starts it; use those of recollect token")
    .option("--json", "answer with one JSON object")
    .action((options: WorkspaceOptions) => serve(io, version, options))
    .addHelpText(
      "after",
      `
It listens on this machine alone, unless --host says otherwise, and prints an address with a token that may do
everything and ends with the server. Others get a token of their own: recollect token create --help

Examples:
  $ recollect serve
  $ recollect serve --project ~/shop --port 8080
  $ recollect serve --host 0.0.0.0 --addresses https://memory.example.org --no-own-token
  $ recollect serve --database-url postgres://recollect@db.example.org/memory --database-space shop
  $ claude mcp add --transport http recollect http://127.0.0.1:7325/mcp --header "Authorization: Bearer TOKEN"

It answers GET /healthz and /readyz without a token, /metrics (Prometheus) with an admin's. With --host it is reached by
others, under the addresses that --addresses names. With --database-url the memory lies in PostgreSQL, and servers keep
nothing but a search index that they can make anew (docs/POSTGRES.md); servers that share a memory, on one machine or
many, set --database-space to the same name. End it with Ctrl-C: what is under way is ended first; a second
Ctrl-C does not wait.`,
    );
}

async function serve(io: Io, version: string, options: WorkspaceOptions): Promise<void> {
  const place = { env: process.env, home: homedir(), ...io.place };
  const dataFolder = userDataFolder(place);
  const project = options["embedded"] === true ? embeddedWorkspace(dataFolder) : options.project;
  const workspace = await openWorkspace({
    flags: serveFlagsOf(options),
    ...io.place,
    stays: true,
    answersMany: true,
    // What is not as configured is logged too.
    logLevel: "warning",
    ...(project === undefined ? {} : { project }),
  });
  try {
    await serveUntilStopped(io, version, options, workspace);
  } finally {
    await workspace.close();
  }
}

async function serveUntilStopped(
  io: Io,
  version: string,
  options: WorkspaceOptions,
  workspace: Workspace,
): Promise<void> {
  const [{ serveHttp }, { serveSettings }, { exposureOf }] = await Promise.all([
    import("../http/serve.ts"),
    import("../http/serve-settings.ts"),
    import("../http/served-origins.ts"),
  ]);
  const settings = serveSettings(workspace.settings.values);
  const server = await serveHttp({
    ...settings,
    workspace,
    version,
    makesToken: options["ownToken"] !== false,
  });
  const stopped = untilSignal();
  for (const warning of exposureOf(settings)) io.err(`recollect: ${warning}\n`);
  const { origin, secret } = server;
  const dashboard = `${origin}/${secret === undefined ? "" : `#token=${secret}`}`;
  const what = servedBy(workspace);
  const lines = [
    `Recollect serves ${what}.`,
    `Dashboard: ${dashboard}`,
    `MCP:       ${origin}/mcp${secret === undefined ? "" : `  (Authorization: Bearer ${secret})`}`,
    "End it with Ctrl-C.",
  ];
  print(io, options.json === true, lines.map(printable).join("\n"), {
    origin,
    dashboard,
    mcp: `${origin}/mcp`,
    token: secret,
  });
  // What a killed process left behind can wait, the first client should not.
  const recovering = setTimeout(() => {
    keepYoungSpaceSmall();
    void workspace.recover().catch((error) => {
      workspace.log("warning", "recovery", { message: error instanceof Error ? error.message : String(error) });
    });
  }, recoverAfterMs).unref();
  await stopped;
  clearTimeout(recovering);
  await server.close();
}

function servedBy({ project, settings: { values, origins } }: Workspace): string {
  const { space } = values["memories.folder"];
  if (space !== undefined && project && origins["database.space"].source === "default") {
    return `“${space}” of the database, which is this folder's; others share it by --database-space ${values["database.space"]}`;
  }
  if (space !== undefined) return `“${space}” of the database, for any number of servers beside this one`;
  return project ? `“${project.folder}”` : "your own memories (no project here)";
}

/**
 * The second signal does not wait for anything. One that comes at once is the first one again: a terminal sends it to
 * every process, and those that started us pass it on.
 */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const stop = () => {
      first ??= performance.now();
      if (performance.now() - first > sameSignalMs) process.exit(exitCodes.failed);
      resolve();
    };
    process.on("SIGINT", stop).on("SIGTERM", stop).on("SIGHUP", stop);
    if (isScriptOfNpm(process.env)) followParent(resolve);
  });
}

function isScriptOfNpm(env: NodeJS.ProcessEnv): boolean {
  return env["npm_lifecycle_event"] !== undefined;
}

/** npm puts a shell between itself and a script, which passes no signal on: who ends npm would leave a server behind. */
function followParent(end: () => void): void {
  const { ppid } = process;
  setInterval(() => {
    if (process.ppid !== ppid) end();
  }, parentLookMs).unref();
}

function embeddedWorkspace(dataFolder: string): string {
  const folder = join(dataFolder, "workspace");
  makeFolders(folder, 0o700);
  return folder;
}
