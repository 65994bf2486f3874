import type { Command } from "commander";

/** The end of a command's help: command lines that a reader can copy. */
export function withExamples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText("after", ["\nExamples:", ...lines.map((line) => `  $ ${line}`)].join("\n"));
}
