import { Command } from "commander";
import { type EntryRevision, RecollectError, type ShownRevision } from "../app.ts";
import { entryHelp, historyCommand, nameHelp, revHelp, toData, withHistory } from "./history-text.ts";
import { type Io, print, printableText } from "./output.ts";
import type { WorkspaceOptions } from "./workspace-options.ts";

type DiffOptions = WorkspaceOptions & { readonly entry?: string };

/** `recollect diff`: what changed between two revisions. */
export function diffCommand(io: Io): Command {
  return historyCommand(new Command("diff"))
    .description("what changed in a note between two revisions")
    .argument("<name>", nameHelp)
    .argument("[from]", `${revHelp}; by default the one before`)
    .argument("[to]", "by default the newest")
    .option("--entry <title>", entryHelp)
    .action((given: string, from: string | undefined, to: string | undefined, options: DiffOptions) =>
      withHistory(io, options, async (history) => {
        const { at, entry } = await history.locateRecord(given);
        const name = history.nameOf(at);
        const { entry: title = entry } = options;
        if (title !== undefined) {
          const {
            from: before,
            to: after,
            text,
          } = await history.diffEntry({
            ...{ at, title, from, to },
            format: history.entryFormat,
          });
          const data = { from: before && toEntrySide(before), to: toEntrySide(after), diff: text };
          if (options.json) print(io, true, "", { name, ...at, entry: title, ...data });
          else io.out(printableText(io, text));
          return;
        }
        const found = await history.diff(at, { from, to });
        if (options.json) {
          const data = { from: found.from && toSide(found.from), to: toSide(found.to), diff: found.text };
          print(io, true, "", { name, ...at, ...data });
        } else if (found.text === undefined) throw new RecollectError("NOT_UTF8", `${name} is not UTF-8 text in both.`);
        else io.out(printableText(io, found.text));
      }),
    )
    .addHelpText(
      "after",
      `
Examples:
  $ recollect diff build             what the newest revision changed
  $ recollect diff build ~2          all since then
  $ recollect diff build ~2 ~1 --json
  $ recollect diff memory/build/cache.md --entry "Old caches"`,
    );
}

function toSide({ operation, path, rev }: ShownRevision) {
  return { path, rev, ...toData(operation) };
}

function toEntrySide({ operation, rev }: EntryRevision) {
  return { rev, ...toData(operation) };
}
