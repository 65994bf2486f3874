import { Command } from "commander";
import { entryHelp, historyCommand, meantBy, nameHelp, toData, toHead, withHistory } from "./history-text.ts";
import { type Io, print, printable } from "./output.ts";
import type { WorkspaceOptions } from "./workspace-options.ts";

/** `recollect blame`: who wrote which line. */
export function blameCommand(io: Io): Command {
  return historyCommand(new Command("blame"))
    .description("who wrote each line of a note, and when")
    .argument("<name>", nameHelp)
    .option("--entry <title>", entryHelp)
    .action((given: string, options: WorkspaceOptions & { readonly entry?: string }) =>
      withHistory(io, options, async (history, { nameOf }) => {
        const what = await meantBy(history, given, options.entry);
        const lines = await history.blame(what);
        const heads = lines.map(({ operation }) => printable(toHead(operation)));
        const width = Math.max(0, ...heads.map((head) => head.length));
        const texts = lines.map(({ line }, index) => `${heads[index]?.padEnd(width)}  ${line.replace(/\r?\n$/, "")}`);
        print(io, options.json === true, texts.join("\n"), {
          name: nameOf(what.at),
          ...what.at,
          entry: what.entry,
          lines: lines.map(({ line, operation }) => ({ line, ...toData(operation) })),
        });
      }),
    )
    .addHelpText(
      "after",
      `
Examples:
  $ recollect blame build
  $ recollect blame memory/build/cache.md --entry "Old caches"
  $ recollect blame build --json`,
    );
}
