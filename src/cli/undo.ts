import { Command } from "commander";
import { type MemoryHistory, RecollectError, type UndoneResult, type UndoReport, type UndoTarget } from "../index.ts";
import { historyCommand, parseTimes, withHistory } from "./history-text.ts";
import { exitCodes, type Io, print, printable } from "./output.ts";
import { askConsent, nobodyToAsk } from "./setup-consent.ts";
import type { WorkspaceOptions } from "./workspace-options.ts";

type UndoOptions = WorkspaceOptions & {
  readonly author?: string;
  readonly run?: string;
  readonly since?: string;
  readonly until?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
};

/** `recollect undo`: takes back what an agent or a run did. */
export function undoCommand(io: Io, setExitCode: (code: number) => void): Command {
  return historyCommand(new Command("undo"))
    .description("take back everything that an author or a run did; what others wrote since stays")
    .option("--author <author>", "by this one, such as agent:ada")
    .option("--run <run>", "in this run, as the log names it")
    .option("--since <time>", "only from this day or time on, YYYY-MM-DD")
    .option("--until <time>", "only up to this day or time")
    .option("--dry-run", "only show what would be done")
    .option("--yes", "do it without asking")
    .action((options: UndoOptions) =>
      withHistory(io, options, async (history) => {
        const { json = false } = options;
        const target = targetOf(options);
        const planned = await preview(io, history, target, options);
        if (planned !== "go on") {
          if (planned) show(io, history, planned, { json, dryRun: true });
          return;
        }
        const report = await history.undo(target, history.stamp);
        show(io, history, report, { json, dryRun: false });
        if (report.documents.some(({ kind }) => kind === "left")) setExitCode(exitCodes.failed);
      }),
    )
    .addHelpText(
      "after",
      `
An undo is a change of its own, and can be undone. Exit code 1 means that some documents were left as they are.

Examples:
  $ recollect undo --author agent:ada --since 2026-01-01 --dry-run
  $ recollect undo --run 3f2a9c1b --yes`,
    );
}

function targetOf({ author, run, since, until }: UndoOptions): UndoTarget {
  if (!author && !run) throw new RecollectError("INVALID_ARGUMENT", "Whose? Give --author AUTHOR or --run RUN.");
  const times = parseTimes({ ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) });
  return { ...(author ? { author } : {}), ...(run ? { run } : {}), ...times };
}

/** What is left to show where it is not to be done; undefined where somebody has seen it and said no. */
async function preview(
  io: Io,
  history: MemoryHistory,
  target: UndoTarget,
  options: UndoOptions,
): Promise<UndoReport | "go on" | undefined> {
  if (options.yes && !options.dryRun) return "go on";
  const planned = await history.previewUndo(target);
  if (options.dryRun || planned.operations === 0) return planned;
  if (options.json || !io.confirm) throw nobodyToAsk();
  show(io, history, planned, { json: false, dryRun: true });
  const consent = await askConsent({}, { confirm: io.confirm }, "Undo this?");
  return consent === "yes" ? "go on" : undefined;
}

function show(
  io: Io,
  history: MemoryHistory,
  { operations, documents }: UndoReport,
  { json, dryRun }: { readonly json: boolean; readonly dryRun: boolean },
): void {
  const results = documents.map(({ at, kind, to, why }) => ({
    name: history.nameOf(at),
    kind,
    ...(to === undefined ? {} : { to: history.nameOf({ root: at.root, path: to }) }),
    ...(why === undefined ? {} : { why }),
  }));
  const count = `${operations} ${operations === 1 ? "operation" : "operations"}`;
  const end = operations === 0 ? "Nothing found to undo." : `${count} ${dryRun ? "to undo" : "undone"}.`;
  const lines = [...results.map((result) => `  ${toLine(result, dryRun)}`), end];
  print(io, json, lines.map(printable).join("\n"), { operations, documents: results, dryRun });
}

type Shown = {
  readonly name: string;
  readonly kind: UndoneResult["kind"];
  readonly to?: string;
  readonly why?: string;
};

function toLine({ name, kind, to, why }: Shown, dryRun: boolean): string {
  const past = dryRun ? "to be " : "";
  const words: Readonly<Record<UndoneResult["kind"], string>> = {
    restored: `${past}restored`,
    merged: `${past}taken out; what others wrote since stays`,
    removed: `${past}removed`,
    moved: `${past}moved back to ${to ?? ""}`,
    unchanged: "unchanged",
    left: `left as it is: ${why ?? ""}`,
  };
  return `${name}: ${words[kind]}`;
}
