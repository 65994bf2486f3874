import { Command } from "commander";
import type { DocumentChange, EntryRevision, MemoryHistory, NameOf, TimelineOperation } from "../app.ts";
import {
  authorOf,
  entryHelp,
  historyCommand,
  lessonIn,
  nameHelp,
  parseTimes,
  toData,
  toHead,
  withHistory,
} from "./history-text.ts";
import { type Io, print, printable } from "./output.ts";
import { parseLimit, type WorkspaceOptions } from "./workspace-options.ts";

type LogOptions = WorkspaceOptions & {
  readonly author?: string;
  readonly run?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly entry?: string;
};

const defaultLimit = 20;

/** `recollect log`: who changed what, when and why. */
export function logCommand(io: Io): Command {
  return historyCommand(new Command("log"))
    .description("who changed what, when and why, newest first")
    .argument("[name]", `${nameHelp}; a folder with a slash at its end`)
    .option("--author <author>", "only by this one, such as agent:ada or person:bob; outside: by another program")
    .option("--run <run>", "only what was done in this run")
    .option("--since <time>", "from this day or time on, YYYY-MM-DD")
    .option("--until <time>", "up to this day or time")
    .option("--limit <number>", `at most this many (default: ${defaultLimit})`, parseLimit)
    .option("--entry <title>", entryHelp)
    .action((name: string | undefined, options: LogOptions) =>
      withHistory(io, options, async (history, { nameOf }) => {
        const { run, entry, limit = defaultLimit } = options;
        const author = await authorOf(history, options.author);
        const lesson = entry ?? (await lessonIn(history, name));
        if (name !== undefined && lesson !== undefined)
          return logLesson(io, history, { name, nameOf, entry: lesson, limit, options });
        const { operations, hasMore } = await history.timeline({ name, author, run, ...parseTimes(options), limit });
        const lines = operations.map((operation) => toLine(nameOf, operation));
        if (operations.length === 0) lines.push("Nothing found in history.");
        if (hasMore) lines.push(`${operations.length} shown. More: --limit ${limit * 2}`);
        print(io, options.json === true, lines.join("\n"), {
          operations: operations.map((operation) => ({
            ...toData(operation),
            root: operation.root,
            changes: operation.changes.map((change) => ({
              name: nameOf({ root: operation.root, path: change.path }),
              ...change,
            })),
          })),
          hasMore,
        });
      }),
    )
    .addHelpText(
      "after",
      `
Times and days are those of your own time zone; --json has them in UTC.

Examples:
  $ recollect log
  $ recollect log build
  $ recollect log auth/ --since 2026-01-01 --limit 50
  $ recollect log --author agent:ada --json`,
    );
}

async function logLesson(
  io: Io,
  history: MemoryHistory,
  asked: {
    readonly name: string;
    readonly nameOf: NameOf;
    readonly entry: string;
    readonly limit: number;
    readonly options: LogOptions;
  },
): Promise<void> {
  const { name, nameOf, entry, limit, options } = asked;
  const { at } = await history.locate(name);
  const revisions = await history.lessonLog({ at, entry }, limit);
  const lines = revisions.map((revision) => printable(`${toHead(revision.operation)}  ${kindOf(revision)}  ${entry}`));
  print(io, options.json === true, lines.join("\n") || "Nothing found in history.", {
    name: nameOf(at),
    entry,
    revisions: revisions.map(({ operation, rev, was }) => ({ ...toData(operation), rev, was })),
  });
}

function kindOf({ rev, was }: EntryRevision): string {
  if (rev === undefined) return "remove";
  return was === undefined ? "add" : "change";
}

function toLine(nameOf: NameOf, operation: TimelineOperation): string {
  const { root, run, reason, changes } = operation;
  const name = (path: string) => nameOf({ root, path });
  const said = ({ kind, from, path, to }: DocumentChange) =>
    `${kind} ${[from, path, to].flatMap((one) => (one === undefined ? [] : [name(one)])).join(" → ")}`;
  const [first, ...others] = changes.toSorted((a, b) => Number(isConsequence(a)) - Number(isConsequence(b)));
  const what = first === undefined ? "" : said(first) + (others.length > 0 ? ` and ${others.length} more` : "");
  const why = [...(run === undefined ? [] : [`run ${run}`]), ...(reason === undefined ? [] : [reason])];
  return printable(`${toHead(operation)}  ${what}${why.length > 0 ? `  (${why.join("; ")})` : ""}`);
}

/** Of an entry that is stored, its file says more than the index and the archive that follow it. */
function isConsequence({ path }: DocumentChange): boolean {
  return path === "index.md" || path.startsWith("archive/");
}
