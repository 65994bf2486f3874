import type { Command } from "commander";
import { withExamples } from "./examples.ts";
import { withWorkspaceOptions } from "./workspace-options.ts";

/** Adds what a command for a workspace does, one by one, each for scripts as well and with examples. */
export function operationsOf(command: Command) {
  return (name: string, summary: string, ...examples: string[]): Command =>
    withExamples(
      withWorkspaceOptions(command.command(name).description(summary)).option("--json", "answer with one JSON object"),
      ...examples,
    );
}
