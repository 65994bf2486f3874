import { Command, CommanderError } from "commander";
import { agentCommand } from "./agent.ts";
import { exitCodeHelp, exitCodes, type Io, printError } from "./output.ts";
import { startMcpServerCommand } from "./start-mcp-server.ts";
import { version } from "./version.ts";

/** Runs one command line and returns the exit code. */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  const program = new Command("recollect")
    .description("durable, searchable, version-controlled memory for AI coding agents")
    .version(version)
    .addHelpText("after", exitCodeHelp)
    .addCommand(agentCommand(io))
    .addCommand(startMcpServerCommand(io, version));
  for (const command of allCommands(program)) {
    command
      .exitOverride()
      .configureOutput({ writeOut: io.out, writeErr: io.err })
      .showHelpAfterError("(add --help for usage and examples)");
  }
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    return printError(io, args.includes("--json"), error);
  }
}

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}
