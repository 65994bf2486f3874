import { Command, CommanderError } from "commander";
import { RecollectError, withdrawnSetting } from "../app.ts";
import { loadCommands } from "./commands.ts";
import { exitCodeHelp, exitCodes, type Io, printError } from "./output.ts";
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
    .addHelpText("after", exitCodeHelp);
  for (const command of await loadCommands(args, { io, version, setExitCode })) program.addCommand(command);
  for (const command of allCommands(program)) {
    command
      .exitOverride()
      .configureOutput({
        writeOut: io.out,
        writeErr: json ? () => {} : io.err,
        outputError: (text, write) => write(withdrawnFlag(text) ?? withoutTokens(text)),
      })
      .showHelpAfterError("(add --help for usage and examples)");
  }
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return printError(io, json, error);
    if (error.exitCode === 0) return exitCodes.done;
    const code = json ? printError(io, true, usageError(error)) : exitCodes.usage;
    return isHook(args) ? exitCodes.done : code;
  }
}

/** Before any parsing: a command line that cannot be parsed is answered in JSON as well. */
function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end === -1 ? undefined : end).includes("--json");
}

/** To the clients that run hooks, code 2 means “refuse this prompt”: a misspelt option must not. */
function isHook(args: readonly string[]): boolean {
  return (
    args[0] === "hook" || (args[0] === "recall" && args.some((arg) => arg === "--hook" || arg.startsWith("--hook=")))
  );
}

function usageError({ message }: CommanderError): RecollectError {
  const says = (withdrawnFlag(message)?.replace(/\.\n$/, "") ?? withoutTokens(message))
    .replace(/^error: /, "")
    .replace("\n", " ");
  return new RecollectError("INVALID_ARGUMENT", `Wrong usage: ${says}. Add --help for usage and examples.`);
}

/** What to do where an option is unknown because it was withdrawn; its value is never shown. */
function withdrawnFlag(text: string): string | undefined {
  const flag = /unknown option '(--[a-z-]+)/.exec(text)?.[1];
  const says = flag === undefined ? undefined : withdrawnSetting("flag", flag);
  return says && `error: ${says}.\n`;
}

/** What was given in the wrong place may be a token (GUARD-3). No name of ours looks like one. */
function withoutTokens(text: string): string {
  return text.replace(/[^\s'"<>,()]{16,}/g, (run) => (/\d/.test(run) || run.length >= 40 ? "…" : run));
}

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}
