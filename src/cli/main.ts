import { Command, CommanderError } from "commander";
import { RecollectError } from "../index.ts";
import { agentCommand } from "./agent.ts";
import { bankCommand } from "./bank.ts";
import { completionCommand } from "./completion.ts";
import { configCommand } from "./config.ts";
import { doctorCommand } from "./doctor.ts";
import { initCommand } from "./init.ts";
import { memoriesCommand } from "./memories.ts";
import { exitCodeHelp, exitCodes, type Io, printError } from "./output.ts";
import { startMcpServerCommand } from "./start-mcp-server.ts";
import { trustCommand } from "./trust.ts";
import { uninstallCommand } from "./uninstall.ts";
import { version } from "./version.ts";

/** Runs one command line and returns the exit code. */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  const json = asksForJson(args);
  let exitCode: number = exitCodes.done;
  const setExitCode = (code: number) => {
    exitCode = code;
  };
  const program = new Command("recollect")
    .description("durable, searchable, version-controlled memory for AI coding agents")
    .version(version)
    .addHelpText("after", exitCodeHelp)
    .addCommand(initCommand(io))
    .addCommand(memoriesCommand(io, setExitCode))
    .addCommand(bankCommand(io))
    .addCommand(agentCommand(io))
    .addCommand(startMcpServerCommand(io, version))
    .addCommand(doctorCommand(io, setExitCode))
    .addCommand(configCommand(io))
    .addCommand(trustCommand(io))
    .addCommand(completionCommand(io))
    .addCommand(uninstallCommand(io));
  for (const command of allCommands(program)) {
    command
      .exitOverride()
      .configureOutput({ writeOut: io.out, writeErr: json ? () => {} : io.err })
      .showHelpAfterError("(add --help for usage and examples)");
  }
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return printError(io, json, error);
    if (error.exitCode === 0) return exitCodes.done;
    return json ? printError(io, true, usageError(error)) : exitCodes.usage;
  }
}

/** Before any parsing: a command line that cannot be parsed is answered in JSON as well. */
function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end === -1 ? undefined : end).includes("--json");
}

function usageError({ message }: CommanderError): RecollectError {
  const says = message.replace(/^error: /, "").replace("\n", " ");
  return new RecollectError("INVALID_ARGUMENT", `Wrong usage: ${says}. Add --help for usage and examples.`);
}

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}
