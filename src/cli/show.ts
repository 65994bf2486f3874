import { Command } from "commander";
import { RecollectError } from "../app.ts";
import { historyCommand, meantBy, nameHelp, revHelp, toData, withHistory } from "./history-text.ts";
import { type Io, print, printableText } from "./output.ts";
import type { WorkspaceOptions } from "./workspace-options.ts";

/** `recollect show`: a note as it was. */
export function showCommand(io: Io): Command {
  return historyCommand(new Command("show"))
    .description("print a note or an entry as it was")
    .argument("<name>", nameHelp)
    .argument("[rev]", `${revHelp}; by default the newest`)
    .option("--entry <title>", "only this entry of a file of topics")
    .action((given: string, rev: string | undefined, options: WorkspaceOptions & { entry?: string }) =>
      withHistory(io, options, async (history, { nameOf }) => {
        const what = await meantBy(history, given, options.entry);
        const { at, entry } = what;
        const name = nameOf(at);
        const shown = await history.show(what, rev);
        const { operation, text, bytes } = shown;
        if (options.json) {
          print(io, true, "", { name, ...at, entry, rev: shown.rev, ...toData(operation), content: text });
          return;
        }
        if (text !== undefined) io.out(printableText(io, text));
        else if (bytes) throw new RecollectError("NOT_UTF8", `${name} was not UTF-8 text then.`);
        else throw new RecollectError("NOT_FOUND", `${name} was deleted then. See: recollect log`);
      }),
    )
    .addHelpText(
      "after",
      `
Examples:
  $ recollect show build
  $ recollect show build ~1
  $ recollect show build ~1 --json`,
    );
}
