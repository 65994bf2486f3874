import { Command } from "commander";
import {
  counted,
  type HistoryOperation,
  type MemoryHistory,
  type NameOf,
  RecollectError,
  type UndoneResult,
  type UndoReport,
  type UndoTarget,
  type Workspace,
} from "../app.ts";
import { authorOf, historyCommand, lessonIn, parseTimes, withHistory } from "./history-text.ts";
import { exitCodes, type Io, print, printable } from "./output.ts";
import { askConsent, nobodyToAsk } from "./setup-consent.ts";
import type { WorkspaceOptions } from "./workspace-options.ts";

type UndoOptions = WorkspaceOptions & {
  readonly path?: string;
  readonly folder?: string;
  readonly entry?: string;
  readonly author?: string;
  readonly run?: string;
  readonly session?: string;
  readonly since?: string;
  readonly until?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
};

/** `recollect undo`: takes back what an agent or a run did. */
export function undoCommand(io: Io, setExitCode: (code: number) => void): Command {
  return historyCommand(new Command("undo"))
    .description(
      "take back the last change that an agent made; or everything that an author or a run did, or the last change of a note, an entry or a folder; what others wrote since stays",
    )
    .option("--author <author>", "by this one, such as agent:ada")
    .option("--run <run>", "in this run, as the log names it")
    .option("--session <session>", "in this session of a client, which is a run; last is the latest one of an agent")
    .option("--path <name>", "the last change of this note, by the author and in the run where they are given")
    .option("--entry <title>", "with --path: the last change of this entry of a file of topics")
    .option("--folder <path>", "the last change in this folder")
    .option("--since <time>", "only from this day or time on, YYYY-MM-DD")
    .option("--until <time>", "only up to this day or time")
    .option("--dry-run", "only show what would be done")
    .option("--yes", "do it without asking")
    .action((options: UndoOptions) =>
      withHistory(io, options, async (history, { nameOf }) => {
        const { json = false } = options;
        const author = await authorOf(history, options.author);
        const target = await targetOf(history, author === undefined ? options : { ...options, author });
        const planned = await preview(io, { history, nameOf }, target, options);
        if (planned !== "go on") {
          if (planned) show(io, nameOf, planned, { json, dryRun: true });
          return;
        }
        const report = await history.undo(target ?? {});
        show(io, nameOf, report, { json, dryRun: false });
        if (report.documents.some(({ kind }) => kind === "left")) setExitCode(exitCodes.failed);
      }),
    )
    .addHelpText(
      "after",
      `
A change of several notes at once is taken back as a whole. An undo is a change of its own, and can be undone. Exit code 1 means that some documents were left as they are.

Examples:
  $ recollect undo
  $ recollect undo --author agent:ada --since 2026-01-01 --dry-run
  $ recollect undo --author agent:claude-code --since today
  $ recollect undo --session last
  $ recollect undo --run 3f2a9c1b --yes
  $ recollect undo --path auth/login --dry-run
  $ recollect undo --path memory/build/cache.md --entry "Old caches" --yes`,
    );
}

async function targetOf(history: MemoryHistory, options: UndoOptions): Promise<UndoTarget | undefined> {
  const { path, folder, entry } = options;
  const target = await filterOf(history, options);
  if ((path !== undefined && folder !== undefined) || (entry !== undefined && path === undefined)) throw unclear();
  if (path === undefined && folder === undefined) {
    if (target.author || target.run) return target;
    if (Object.keys(target).length > 0) throw unclear();
    return { operation: (await lastOfAgents(history, undefined)).id };
  }
  const lesson = entry ?? (await lessonIn(history, path));
  const last =
    path !== undefined && lesson !== undefined
      ? await lastOfEntry(history, path, lesson, target)
      : await lastOf(history, path ?? `${folder?.replace(/\/$/, "")}/`, target);
  return last && { operation: last.id };
}

async function filterOf(history: MemoryHistory, options: UndoOptions): Promise<UndoTarget> {
  const { author, since, until } = options;
  const session = await sessionOf(history, options);
  const times = parseTimes({ ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) });
  return { ...(author ? { author } : {}), ...session, ...times };
}

async function sessionOf(history: MemoryHistory, options: UndoOptions): Promise<Pick<UndoTarget, "author" | "run">> {
  const { author, session, run = session } = options;
  if (session !== undefined && options.run !== undefined) throw unclear();
  if (session === "last") return lastSession(history, author);
  return run ? { run } : {};
}

function unclear(): RecollectError {
  const says =
    "What? Give nothing for the last change of an agent, or --author AUTHOR, --session last or --run RUN, --path NAME (with --entry TITLE), or --folder PATH.";
  return new RecollectError("INVALID_ARGUMENT", says);
}

/**
 * The session that wrote last, of this author or else of an agent: a person's work is not taken unless they are named.
 * With its author, since earlier versions gave one run to everything that a server was asked to write.
 */
async function lastSession(
  history: MemoryHistory,
  author: string | undefined,
): Promise<Pick<UndoTarget, "author" | "run">> {
  const last = await lastOfAgents(history, author);
  return { author: last.author, run: last.run };
}

/** The last change in a session of this author, or else of any agent. */
async function lastOfAgents(
  history: MemoryHistory,
  author: string | undefined,
): Promise<HistoryOperation & { readonly run: string }> {
  const filter = author === undefined ? {} : { author };
  for (let limit = 100; ; limit *= 4) {
    const { operations, hasMore } = await history.timeline({ ...filter, limit });
    const last = operations.find((one) => one.run && (author !== undefined || one.author.startsWith("agent:")));
    if (last?.run) return { ...last, run: last.run };
    if (!hasMore) throw noSession();
  }
}

function noSession(): RecollectError {
  const says = "No agent's session has written anything here. recollect log shows the author of each change.";
  return new RecollectError("NOT_FOUND", says);
}

async function lastOf(history: MemoryHistory, name: string, filter: UndoTarget): Promise<HistoryOperation | undefined> {
  return (await history.timeline({ name, ...filter, limit: 1 })).operations[0];
}

async function lastOfEntry(
  history: MemoryHistory,
  name: string,
  title: string,
  { author, run, since = "", until }: UndoTarget,
): Promise<HistoryOperation | undefined> {
  const { at } = await history.locate(name);
  const revisions = await history.lessonLog({ at, entry: title }, Number.POSITIVE_INFINITY);
  return revisions
    .map(({ operation }) => operation)
    .find(
      (one) =>
        (author === undefined || one.author === author) &&
        (run === undefined || one.run === run) &&
        one.time >= since &&
        (until === undefined || one.time <= until),
    );
}

/** What is left to show where it is not to be done; undefined where somebody has seen it and said no. */
async function preview(
  io: Io,
  { history, nameOf }: Pick<Workspace, "history" | "nameOf">,
  target: UndoTarget | undefined,
  options: UndoOptions,
): Promise<UndoReport | "go on" | undefined> {
  if (!target) return { operations: 0, documents: [] };
  if (options.yes && !options.dryRun) return "go on";
  const planned = await history.previewUndo(target);
  if (options.dryRun || planned.operations === 0) return planned;
  if (options.json || !io.confirm) throw nobodyToAsk();
  show(io, nameOf, planned, { json: false, dryRun: true });
  const consent = await askConsent({}, { confirm: io.confirm }, "Undo this?");
  return consent === "yes" ? "go on" : undefined;
}

function show(
  io: Io,
  nameOf: NameOf,
  { operations, documents }: UndoReport,
  { json, dryRun }: { readonly json: boolean; readonly dryRun: boolean },
): void {
  const results = documents.map(({ at, kind, to, why }) => ({
    name: nameOf(at),
    kind,
    ...(to === undefined ? {} : { to: nameOf({ root: at.root, path: to }) }),
    ...(why === undefined ? {} : { why }),
  }));
  const count = counted(operations, "operation");
  const nothing = "Nothing found to undo. recollect log shows who wrote what.";
  const end = operations === 0 ? nothing : `${count} ${dryRun ? "to undo" : "undone"}.`;
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
