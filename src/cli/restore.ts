import { Command } from "commander";
import { type FolderMoment, type MemoryHistory, RecollectError, type RestoredDocument } from "../index.ts";
import { historyCommand, nameHelp, parseTime, restoredText, revHelp, withHistory } from "./history-text.ts";
import { type Io, print, printable } from "./output.ts";
import type { WorkspaceOptions } from "./workspace-options.ts";

type RestoreOptions = WorkspaceOptions & {
  readonly entry?: string;
  readonly folder?: string;
  readonly at?: string;
  readonly dryRun?: boolean;
};

/** `recollect restore`: an old revision becomes the newest. */
export function restoreCommand(io: Io): Command {
  return historyCommand(new Command("restore"))
    .description("make an old revision of a note, an entry or a folder the newest one; nothing is lost")
    .argument("[name]", nameHelp)
    .argument("[rev]", revHelp)
    .option("--entry <title>", "only this entry of a file of topics; the rest of the file stays")
    .option("--folder <path>", "all notes of this folder that were changed since; takes --at, and no name")
    .option("--at <time>", "as the folder was then: YYYY-MM-DD for the end of that day, a time, or an id in its log")
    .option("--dry-run", "only show what would be done with the folder")
    .action((given: string | undefined, rev: string | undefined, options: RestoreOptions) =>
      withHistory(io, options, async (history) => {
        if (options.folder !== undefined && given === undefined) return restoreFolder(io, history, options);
        if (options.folder !== undefined || options.at !== undefined || options.dryRun) throw wrongly();
        if (given === undefined || rev === undefined) throw wrongly();
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
  $ recollect restore build ~1 --json
  $ recollect restore --folder auth --at 2026-01-31 --dry-run
  $ recollect restore --folder auth --at 3f2a9c1b04`,
    );
}

function wrongly(): RecollectError {
  return new RecollectError("INVALID_ARGUMENT", "Give a NAME and a REV, or --folder PATH with --at TIME.");
}

async function restoreFolder(io: Io, history: MemoryHistory, options: RestoreOptions): Promise<void> {
  const { folder, at, dryRun = false, json = false } = options;
  if (folder === undefined || at === undefined || options.entry !== undefined) throw wrongly();
  const place = await history.locateFolder(folder);
  const documents = await history.restoreFolder(place, momentOf(at), history.stamp, { dryRun });
  const results = documents.map((one) => ({ name: history.nameOf(one.at), kind: one.kind }));
  const changed = results.filter(({ kind }) => kind !== "unchanged");
  const lines = changed.map(({ name, kind }) => `  ${name}: ${words[kind](dryRun)}`);
  const end =
    changed.length === 0 ? "It is so already." : `${changed.length} ${dryRun ? "to be restored" : "restored"}.`;
  print(io, json, [...lines, end].map(printable).join("\n"), { ...place, documents: results, dryRun });
}

const words: Readonly<Record<RestoredDocument["kind"], (dryRun: boolean) => string>> = {
  restored: (dryRun) => (dryRun ? "to be restored" : "restored"),
  removed: (dryRun) => (dryRun ? "to be removed: it was not there" : "removed: it was not there"),
  unchanged: () => "unchanged",
};

/** The beginning of an id has no dash, and every time has one. */
function momentOf(at: string): FolderMoment {
  return /^[0-9a-f]{4,40}$/.test(at) ? { operation: at } : { time: parseTime(at, "T23:59:59.999Z") };
}
