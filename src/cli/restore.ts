import { Command } from "commander";
import { historyCommand, nameHelp, restoredText, revHelp, withHistory } from "./history-text.ts";
import { type Io, print, printable } from "./output.ts";
import type { WorkspaceOptions } from "./workspace-options.ts";

/** `recollect restore`: an old revision becomes the newest. */
export function restoreCommand(io: Io): Command {
  return historyCommand(new Command("restore"))
    .description("make an old revision of a note or an entry the newest one; nothing is lost")
    .argument("<name>", nameHelp)
    .argument("<rev>", revHelp)
    .option("--entry <title>", "only this entry of a file of topics; the rest of the file stays")
    .action((given: string, rev: string, options: WorkspaceOptions & { entry?: string }) =>
      withHistory(io, options, async (history) => {
        const at = await history.locate(given);
        const name = history.nameOf(at);
        const { entry: title } = options;
        const result =
          title === undefined
            ? await history.restore(at, rev, history.stamp)
            : await history.restoreEntry({ at, title, rev, format: history.entryFormat }, history.stamp);
        print(io, options.json === true, printable(restoredText(name, result)), {
          name,
          ...at,
          entry: title,
          kind: result.kind,
          ...(result.kind === "restored" ? { rev: result.rev, was: result.was, from: result.from.id } : {}),
        });
      }),
    )
    .addHelpText(
      "after",
      `
Examples:
  $ recollect restore build ~1
  $ recollect restore build ~1 --json`,
    );
}
