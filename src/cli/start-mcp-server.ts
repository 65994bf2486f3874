import { randomBytes } from "node:crypto";
import { Command, Option } from "commander";
import {
  isRecollectError,
  type LogLevel,
  logLevels,
  openWorkspace,
  parseAgentId,
  RecollectError,
  type Workspace,
} from "../app.ts";
import { type Io, printable } from "./output.ts";
import { keepYoungSpaceSmall } from "./small-young-space.ts";
import { collect, flagsOf, type WorkspaceOptions, withWorkspaceOptions } from "./workspace-options.ts";

const recoverAfterMs = 1000;

/** Flags of Serena that mean nothing here. Its users change one word of their configuration, and no flag (MCP-3). */
const foreignFlags = [
  "--context <name>",
  "--mode <name>",
  "--transport <name>",
  "--host <name>",
  "--port <number>",
  "--enable-gui-log-window [boolean]",
  "--open-web-dashboard [boolean]",
  "--language-backend <name>",
  "--tool-timeout <seconds>",
  "--trace-lsp-communication [boolean]",
  "--project-file <path>",
  "--project-from-cwd [boolean]",
] as const;

/** Those that say what is the case anyway need no note. */
const unremarkable = new Set(["--context", "--transport=stdio", "--project-from-cwd"]);

/** `recollect start-mcp-server`: MCP over stdin and stdout, for as long as the client keeps stdin open. */
export function startMcpServerCommand(io: Io, version: string): Command {
  const command = withWorkspaceOptions(new Command("start-mcp-server"))
    .description("serve this project's memory over MCP on stdin and stdout")
    .argument("[project]", "the project, for who does not write --project")
    .option("--enable-web-dashboard [true|false]", "also serve the dashboard, on a free port of this machine")
    .action((project: string | undefined, options: WorkspaceOptions) =>
      serve(io, version, { ...(project === undefined ? {} : { project }), ...options }),
    );
  for (const flags of foreignFlags) {
    const option = new Option(flags, "accepted for configurations made for Serena");
    command.addOption(flags.startsWith("--mode") ? option.argParser(collect).hideHelp() : option.hideHelp());
  }
  return command.addHelpText(
    "after",
    `
Client configuration (recollect init writes it):
  { "mcpServers": { "recollect": { "command": "npx", "args": ["-y", "recollect", "start-mcp-server", "--project", "."] } } }

Flags of Serena's server are accepted; those that mean nothing here are named on stderr.

Examples:
  $ recollect start-mcp-server --project ~/shop
  $ recollect start-mcp-server --project . --additional-folders ../shared/.serena/memories --enable-web-dashboard`,
  );
}

async function serve(io: Io, version: string, options: WorkspaceOptions): Promise<void> {
  assertTransport(options);
  for (const note of foreignNotes(options)) io.err(`recollect: ${note}\n`);
  // Before all settings, for the words about an id instead of those about a setting.
  if (typeof options["agentId"] === "string") parseAgentId(options["agentId"]);
  const workspace = await openWorkspace({
    flags: flagsOf({ ...options, logLevel: levelOf(options) }),
    ...io.place,
    stays: true,
    logLevel: "info",
    ...(options.project === undefined ? {} : { project: options.project }),
  });
  try {
    await serveUntilEnd(io, version, options, workspace);
  } finally {
    await workspace.close();
  }
}

async function serveUntilEnd(io: Io, version: string, options: WorkspaceOptions, workspace: Workspace): Promise<void> {
  const { settings, warnings, project, log } = workspace;
  const [{ serveOverStdio }, { servedTools }, { authorOfClient, clientAuthor }, { sessionsBefore }] = await Promise.all(
    [
      import("../mcp/stdio.ts"),
      import("../mcp/served-tools.ts"),
      import("../mcp/client-author.ts"),
      import("../mcp/last-sessions.ts"),
    ],
  );
  const { bearer } = workspace;
  // The client's session is a run. What a person writes in the dashboard beside it is none.
  const run = randomBytes(4).toString("hex");
  const started = new Date().toISOString();
  const lastSessions = (most: number) => workspace.sessionRecords.list(most);
  const sessionOf = (clientName: string | undefined) =>
    workspace.session({ ...bearer, author: authorOfClient(bearer, clientName), run });
  const ended = new Promise<void>((resolve) => process.stdin.once("close", resolve).once("end", resolve));
  // What was written last is still to be recorded; a second one ends it at once.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.stdin.destroy());
  serveOverStdio({
    version,
    log,
    warnings,
    toolsFor: (clientName) =>
      servedTools(sessionOf(clientName), {
        tools: settings.values.tools,
        historyRoots: historyRootsOf(workspace),
        topicsWarning: () => workspace.topicsWarning,
        sessions: settings.values["hooks.sessions"]
          ? sessionsBefore(lastSessions, clientAuthor(clientName), started)
          : undefined,
      }),
  });
  if (process.stdin.isTTY) {
    const what = project ? `“${project.folder}”` : "your own memories (no project here)";
    io.err(`Recollect serves ${printable(what)} over MCP. It speaks JSON-RPC on stdin; end with Ctrl-D.\n`);
  }
  const dashboard = wantsDashboard(options) ? await startDashboard(io, version, workspace).catch(tellWhy) : undefined;
  // After the client's first questions: what a killed process left behind can wait, the client should not.
  const recovering = setTimeout(() => {
    keepYoungSpaceSmall();
    void workspace.recover().catch((error) => {
      log("warning", "recovery", { message: error instanceof Error ? error.message : String(error) });
    });
  }, recoverAfterMs).unref();
  await ended;
  clearTimeout(recovering);
  await dashboard?.close();

  /** The agent goes on without it. */
  function tellWhy(error: unknown): undefined {
    if (!isRecollectError(error)) throw error;
    io.err(`recollect: There is no dashboard. ${printable(error.message)}\n`);
  }
}

/** As its users write it: with a value, or without one. */
function wantsDashboard({ enableWebDashboard: given }: WorkspaceOptions): boolean {
  return given === true || (typeof given === "string" && /^(true|1|yes)$/i.test(given));
}

/** Beside the server on stdin and stdout, for this machine alone. What is said of it goes to stderr. */
async function startDashboard(io: Io, version: string, workspace: Workspace): Promise<{ close(): Promise<void> }> {
  const [{ serveHttp }, { serveSettings }] = await Promise.all([
    import("../http/serve.ts"),
    import("../http/serve-settings.ts"),
  ]);
  const server = await serveHttp({
    ...serveSettings(workspace.settings.values),
    host: "127.0.0.1",
    port: 0,
    addresses: [],
    workspace,
    version,
    makesToken: true,
  });
  io.err(`recollect: The dashboard is at ${server.origin}/#token=${server.secret}\n`);
  return server;
}

/** Of the folders that are served: who may not read topics may not read what they were. */
function historyRootsOf({ memoryFolders, topicsRoot, settings }: Workspace): string[] {
  const withTopics = settings.values.tools.includes("topics");
  const memories = memoryFolders.filter(({ readOnly }) => !readOnly).map(({ root }) => root);
  return [...memories, ...(withTopics && topicsRoot !== undefined ? [topicsRoot] : [])];
}

/** What was meant to be reached over the network must not wait on stdin for ever. */
function assertTransport({ transport }: WorkspaceOptions): void {
  if (transport === undefined || transport === "stdio") return;
  const says = "This server speaks over stdin and stdout alone. Leave --transport away.";
  throw new RecollectError("INVALID_ARGUMENT", says);
}

/** Serena's clients write levels in capitals, and know some more of them. */
function levelOf({ logLevel }: WorkspaceOptions): LogLevel | undefined {
  if (logLevel === undefined) return undefined;
  const asked = String(logLevel).toLowerCase();
  return logLevels.find((level) => level === asked) ?? "info";
}

function foreignNotes(options: WorkspaceOptions): string[] {
  return foreignFlags.flatMap((flags) => {
    const option = new Option(flags);
    const value = options[option.attributeName()];
    if (value === undefined || unremarkable.has(option.long ?? "") || unremarkable.has(`${option.long}=${value}`))
      return [];
    return [`${option.long} means nothing here and is ignored.`];
  });
}
