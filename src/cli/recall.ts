import { Command, Option } from "commander";
import { printedName, RecollectError } from "../app.ts";
import { type HookClient, hookClients } from "../hooks/dialect.ts";
import { exitCodes, type Io, print, printableText } from "./output.ts";
import { showProgress, tellSearchWarnings, withSearch } from "./with-search.ts";
import { collect, parseCount, type WorkspaceOptions, withWorkspaceOptions } from "./workspace-options.ts";

type RecallOptions = WorkspaceOptions & {
  readonly maxTokens?: number;
  readonly maxItems?: number;
  readonly task?: string;
  readonly file?: readonly string[];
  readonly hook?: HookClient;
};

/** `recollect recall …`: what fits a task best, as one block of Markdown for its description. */
export function recallCommand(io: Io, setExitCode: (code: number) => void, open = withSearch): Command {
  return withWorkspaceOptions(new Command("recall"))
    .description("print what memory knows for a task, as one block of Markdown")
    .argument("[query...]", "what the task is about")
    .option("--max-tokens <number>", "of the whole block (default: 1000)", parseCount)
    .option("--max-items <number>", "at most this many pieces (default: 3)", parseCount)
    .option("--task <reference>", "the task's reference or its description: what names it comes earlier")
    .option("--file <path>", "a file that is being worked on; repeatable", collect)
    .addOption(new Option("--hook <client>", "the old name of recollect hook <client>").choices(hookClients).hideHelp())
    .option("--json", "answer with one JSON object")
    .action(async (words: readonly string[], options: RecallOptions) => {
      if (options.hook !== undefined) return (await import("./hook.ts")).answerHookInput(io, options.hook);
      const query = words.join(" ");
      if (query.trim() === "" && options.task === undefined)
        throw new RecollectError("INVALID_ARGUMENT", "What is the task about? Give some words, or --task.");
      return open(io, options, async (search, workspace) => {
        const json = options.json === true;
        const progress = showProgress(io, json);
        const request = { query, nameOf: printedName, ...limitsOf(options) };
        const recalled = await search.recall(request, progress.onProgress).finally(progress.end);
        tellSearchWarnings(io, json, recalled.warnings, workspace.warnings);
        if (recalled.text === "") {
          setExitCode(exitCodes.notFound);
          if (!json) io.err("recollect: Nothing in memory fits.\n");
        }
        print(io, json, printableText(io, recalled.text), { ...recalled });
      });
    })
    .addHelpText(
      "after",
      `
Exit code 3 means that nothing was found.

Examples:
  $ recollect recall login tokens expire too early --max-tokens 500
  $ recollect recall "flaky build" --task PRB-142 --file ci/build.yml`,
    );
}

function limitsOf({ maxTokens, maxItems, task, file }: RecallOptions) {
  return {
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxItems === undefined ? {} : { maxItems }),
    ...(task === undefined ? {} : { task }),
    ...(file === undefined ? {} : { files: file }),
  };
}
