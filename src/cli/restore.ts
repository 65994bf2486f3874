import { Command } from "commander";
import {
  counted,
  type FolderMoment,
  isRecollectError,
  RecollectError,
  type RestoredDocument,
  type Workspace,
} from "../app.ts";
import { historyCommand, meantBy, nameHelp, parseTime, restoredText, revHelp, withHistory } from "./history-text.ts";
import { minuteOf } from "./local-time.ts";
import { type Io, print, printable } from "./output.ts";
import { nothingHere, type WorkspaceOptions } from "./workspace-options.ts";

type RestoreOptions = WorkspaceOptions & {
  readonly entry?: string;
  readonly folder?: string;
  readonly at?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly all?: boolean;
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
    .option("--all", "all notes that vanished with no record of a deletion, for example by git clean; asks first")
    .option("--dry-run", "with --folder or --all: only show what would be done")
    .option("--yes", "with --folder or --all: do it without asking")
    .action((given: string | undefined, rev: string | undefined, options: RestoreOptions) =>
      withHistory(
        io,
        options,
        async (_, workspace) => {
          if (options.all)
            return restoreAll(io, workspace, given === undefined ? options : { ...options, folder: given });
          if (options.folder !== undefined && given === undefined) return restoreFolder(io, workspace, options);
          return restoreNote(io, workspace, given, rev, options);
        },
        { opensVanished: options.all === true },
      ),
    )
    .addHelpText(
      "after",
      `
Notes of a folder that were not there then are removed, after asking; their revisions stay in history.

Examples:
  $ recollect restore build ~1
  $ recollect restore build ~1 --json
  $ recollect restore --all
  $ recollect restore --folder auth --at 2026-01-31 --dry-run
  $ recollect restore --folder auth --at 3f2a9c1b04 --yes`,
    );
}

function wrongly(): RecollectError {
  return new RecollectError("INVALID_ARGUMENT", "Give a NAME and a REV, or --folder PATH with --at TIME, or --all.");
}

async function restoreNote(
  io: Io,
  { history, nameOf }: Workspace,
  given: string | undefined,
  rev: string | undefined,
  options: RestoreOptions,
): Promise<void> {
  if (options.folder !== undefined || options.at !== undefined || options.dryRun || options.yes) throw wrongly();
  if (given === undefined) throw wrongly();
  const what = await meantBy(history, given, options.entry);
  const { at, entry } = what;
  const name = nameOf(at);
  if (entry === undefined && rev === undefined) throw wrongly();
  const result = await history.restore(what, rev);
  print(io, options.json === true, printable(restoredText(name, result)), {
    name,
    ...at,
    entry,
    kind: result.kind,
    ...(result.kind === "restored" ? { rev: result.rev, was: result.was, from: result.from.id } : {}),
  });
}

async function restoreFolder(io: Io, { history, nameOf }: Workspace, options: RestoreOptions): Promise<void> {
  const { folder, at, dryRun = false, yes = false, json = false } = options;
  if (folder === undefined || at === undefined || options.entry !== undefined) throw wrongly();
  const place = await history.locateFolder(folder);
  const restore = (only: { readonly dryRun: boolean }) =>
    history.restoreFolder(place, momentOf(at), only).catch((error: unknown) => Promise.reject(withLocalTime(error)));
  const show = (documents: readonly RestoredDocument[], isPlan: boolean) => {
    const results = documents.map((one) => ({ name: nameOf(one.at), kind: one.kind }));
    print(io, json, toText(results, isPlan), { ...place, documents: results, ...countsOf(results), dryRun: isPlan });
  };
  if (!yes || dryRun) {
    const planned = await restore({ dryRun: true });
    if (dryRun) return show(planned, true);
    const { removed } = countsOf(planned);
    if (removed > 0) {
      if (json || !io.confirm) throw nobodyToAskAbout(removed);
      show(planned, true);
      if (!(await io.confirm("Do this?"))) return io.out("Nothing was changed.\n");
    }
  }
  show(await restore({ dryRun: false }), false);
}

/** What vanished comes back in every folder of memory; shown first. */
async function restoreAll(io: Io, { history, nameOf, roots: all }: Workspace, options: RestoreOptions): Promise<void> {
  const { dryRun = false, yes = false, json = false } = options;
  if (options.folder !== undefined || options.at !== undefined || options.entry !== undefined) throw wrongly();
  const roots = all.filter(({ hasHistory }) => hasHistory);
  if (roots.length === 0) throw nothingHere("nothing can be brought back");
  const restore = async (only: { readonly dryRun: boolean }) => {
    const found: Missing[] = [];
    for (const root of roots) {
      const missing = await history.restoreMissing(root.name, only);
      found.push(...missing.map(({ at, since, why }) => ({ name: nameOf(at), since, why })));
    }
    return found;
  };
  const show = (documents: readonly Missing[], isPlan: boolean) =>
    print(io, json, missingText(documents, isPlan), { documents, dryRun: isPlan });
  if (!yes || dryRun) {
    const planned = await restore({ dryRun: true });
    if (dryRun || planned.length === 0) return show(planned, true);
    if (json || !io.confirm) throw noTerminal(planned.length);
    show(planned, true);
    if (!(await io.confirm("Bring them back?"))) return io.out("Nothing was changed.\n");
  }
  show(await restore({ dryRun: false }), false);
}

interface Missing {
  readonly name: string;
  readonly since: string;
  readonly why: string | undefined;
}

function noTerminal(count: number): RecollectError {
  const says = `Nothing was restored: ${counted(count, "note")} would come back, and there is no terminal to ask on.`;
  return new RecollectError("INVALID_ARGUMENT", `${says} Add --yes to do it, or --dry-run to only look.`);
}

function missingText(documents: readonly Missing[], isPlan: boolean): string {
  if (documents.length === 0) return "Nothing is missing.";
  const lines = documents.map(({ name, since, why }) => {
    return why === undefined ? `  ${name}: last seen ${minuteOf(since)}` : `  ${name}: left as it is. ${why}`;
  });
  const count = documents.filter(({ why }) => why === undefined).length;
  const end = isPlan ? `${counted(count, "note")} can be brought back.` : `${counted(count, "note")} restored.`;
  return [...lines, end].map(printable).join("\n");
}

type Kind = RestoredDocument["kind"];

function countsOf(documents: readonly { readonly kind: Kind }[]) {
  const countOf = (asked: Kind) => documents.filter(({ kind }) => kind === asked).length;
  return { restored: countOf("restored"), removed: countOf("removed") };
}

function nobodyToAskAbout(removed: number): RecollectError {
  const says = `Nothing was restored: ${counted(removed, "document")} would be removed, and there is no terminal to ask on.`;
  return new RecollectError("INVALID_ARGUMENT", `${says} Add --yes to do it, or --dry-run to only look.`);
}

function toText(results: readonly { readonly name: string; readonly kind: Kind }[], isPlan: boolean): string {
  const changed = results.filter(({ kind }) => kind !== "unchanged");
  if (changed.length === 0) return "It is so already.";
  const past = isPlan ? "to be " : "";
  const lines = changed.map(
    ({ name, kind }) => `  ${name}: ${past}${kind}${kind === "removed" ? ": it was not there" : ""}`,
  );
  const { restored, removed } = countsOf(results);
  const counts = [
    ...(restored > 0 ? [`${restored} ${past}restored`] : []),
    ...(removed > 0 ? [`${removed} ${past}removed`] : []),
  ];
  return [...lines, `${counts.join(", ")}.`].map(printable).join("\n");
}

function withLocalTime(error: unknown): unknown {
  if (!isRecollectError(error) || typeof error.data["begin"] !== "string") return error;
  const says = `History begins at ${minuteOf(error.data["begin"])}, and what was there before is not in it. Give a later time.`;
  return new RecollectError(error.code, says, { data: error.data, cause: error });
}

/** The beginning of an id has no dash, and every time has one. */
function momentOf(at: string): FolderMoment {
  return /^[0-9a-f]{4,40}$/.test(at) ? { operation: at } : { time: parseTime(at, "last") };
}
