import type { Command } from "commander";
import type { Io } from "./output.ts";

/** What a command is made with. */
export interface CommandContext {
  readonly io: Io;
  readonly version: string;
  readonly setExitCode: (code: number) => void;
}

type LoadCommand = (context: CommandContext) => Promise<Command>;

/** In the order in which help shows them. Each is loaded when it is needed: loading all is most of a start. */
const commands: Readonly<Record<string, LoadCommand>> = {
  init: async ({ io }) => (await import("./init.ts")).initCommand(io),
  memories: async ({ io, setExitCode }) => (await import("./memories.ts")).memoriesCommand(io, setExitCode),
  topics: async ({ io, setExitCode }) => (await import("./topics.ts")).topicsCommand(io, setExitCode),
  search: async ({ io, setExitCode }) => (await import("./search.ts")).searchCommand(io, setExitCode),
  recall: async ({ io, setExitCode }) => (await import("./recall.ts")).recallCommand(io, setExitCode),
  hook: async ({ io }) => (await import("./hook.ts")).hookCommand(io),
  sessions: async ({ io }) => (await import("./sessions.ts")).sessionsCommand(io),
  forget: async ({ io }) => (await import("./forget.ts")).forgetCommand(io),
  log: async ({ io }) => (await import("./log.ts")).logCommand(io),
  show: async ({ io }) => (await import("./show.ts")).showCommand(io),
  diff: async ({ io }) => (await import("./diff.ts")).diffCommand(io),
  blame: async ({ io }) => (await import("./blame.ts")).blameCommand(io),
  restore: async ({ io }) => (await import("./restore.ts")).restoreCommand(io),
  undo: async ({ io, setExitCode }) => (await import("./undo.ts")).undoCommand(io, setExitCode),
  resolve: async ({ io, setExitCode }) => (await import("./resolve.ts")).resolveCommand(io, setExitCode),
  verify: async ({ io, setExitCode }) => (await import("./verify.ts")).verifyCommand(io, setExitCode),
  sync: async ({ io, setExitCode }) => (await import("./sync.ts")).syncCommand(io, setExitCode),
  purge: async ({ io, setExitCode }) => (await import("./purge.ts")).purgeCommand(io, setExitCode),
  bank: async ({ io }) => (await import("./bank.ts")).bankCommand(io),
  agent: async ({ io }) => (await import("./agent.ts")).agentCommand(io),
  "start-mcp-server": async ({ io, version }) =>
    (await import("./start-mcp-server.ts")).startMcpServerCommand(io, version),
  serve: async ({ io, version }) => (await import("./serve.ts")).serveCommand(io, version),
  token: async ({ io, setExitCode }) => (await import("./token.ts")).tokenCommand(io, setExitCode),
  migrate: async ({ io }) => (await import("./migrate.ts")).migrateCommand(io),
  export: async ({ io }) => (await import("./export.ts")).exportCommand(io),
  doctor: async ({ io, setExitCode }) => (await import("./doctor.ts")).doctorCommand(io, setExitCode),
  guard: async ({ io, setExitCode }) => (await import("./guard.ts")).guardCommand(io, setExitCode),
  reindex: async ({ io }) => (await import("./reindex.ts")).reindexCommand(io),
  embeddings: async ({ io, setExitCode }) => (await import("./embeddings.ts")).embeddingsCommand(io, setExitCode),
  config: async ({ io }) => (await import("./config.ts")).configCommand(io),
  trust: async ({ io }) => (await import("./trust.ts")).trustCommand(io),
  completion: async ({ io }) => (await import("./completion.ts")).completionCommand(io),
  "merge-driver": async ({ io, setExitCode }) =>
    (await import("./merge-driver.ts")).mergeDriverCommand(io, setExitCode),
  uninstall: async ({ io }) => (await import("./uninstall.ts")).uninstallCommand(io),
};

/** The one command that is called, or all of them: for help, for completion, and to say what there is. */
export async function loadCommands(args: readonly string[], context: CommandContext): Promise<Command[]> {
  const [given = ""] = args;
  const first = given === "rm" ? "forget" : given;
  const called = first === "completion" ? undefined : commands[first];
  return Promise.all((called ? [called] : Object.values(commands)).map((load) => load(context)));
}
