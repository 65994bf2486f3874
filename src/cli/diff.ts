import { Command } from "commander";
import { RecollectError, type ShownRevision } from "../app.ts";
import { entryHelp, historyCommand, meantBy, nameHelp, revHelp, toData, withHistory } from "./history-text.ts";
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
      withHistory(io, options, async (history, { nameOf }) => {
        const what = await meantBy(history, given, options.entry);
        const { at, entry } = what;
        const name = nameOf(at);
        const found = await history.diff(what, { from, to });
        if (options.json) {
          const data = { from: found.from && toSide(found.from, entry), to: toSide(found.to, entry), diff: found.text };
          print(io, true, "", { name, ...at, ...(entry === undefined ? {} : { entry }), ...data });
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

/** A lesson has no path of its own. */
function toSide({ operation, path, rev }: ShownRevision, entry: string | undefined) {
  return { ...(entry === undefined ? { path } : {}), rev, ...toData(operation) };
}
