import { Command } from "commander";
import { type LoadedEntry, RecollectError } from "../index.ts";
import { editEntry } from "./edit-entry.ts";
import { type Io, print, printable, printableText } from "./output.ts";
import { parseCount, type WorkspaceOptions, withWorkspace, withWorkspaceOptions } from "./workspace-options.ts";

type StoreOptions = WorkspaceOptions & {
  readonly title?: string;
  readonly context?: string;
  readonly problem?: string;
  readonly solution?: string;
  readonly code?: string;
  readonly date?: string;
};

/** `recollect topics …`: dated entries, newest first, for people and scripts. */
export function topicsCommand(io: Io): Command {
  const topics = new Command("topics").description("what was learned, as dated entries by topic, newest first");
  const operation = (name: string, summary: string) =>
    withWorkspaceOptions(topics.command(name).description(summary)).option("--json", "answer with one JSON object");

  operation("store", "store an entry; without --title in your editor")
    .argument("<topic>", "such as build")
    .argument("<subtopic>", "such as cache")
    .option("--title <text>", "one line")
    .option("--context <text>", "the task")
    .option("--problem <text>", "what went wrong")
    .option("--solution <text>", "how it was solved")
    .option("--code <text>", "an example")
    .option("--date <date>", "YYYY-MM-DD; by default today")
    .action((topic: string, subtopic: string, options: StoreOptions) =>
      withWorkspace(io, options, async (workspace) => {
        // Before anybody writes in vain.
        const entries = workspace.topics();
        assertTitled(options);
        const said = options.title === undefined ? await editEntry(io) : saidIn(options);
        const stored = await entries.store({ topic, subtopic, ...said, date: said.date });
        const lines = [
          stored.alreadyStored ? `It is in ${stored.path} or its archive already.` : `Stored in ${stored.path}.`,
        ];
        if (stored.archived > 0) lines.push(`${stored.archived} older went into the archive.`);
        print(io, options.json === true, lines.join("\n"), { ...stored });
      }),
    );

  operation("load", "print the entries of a topic")
    .argument("<topic>", "the topic")
    .argument("[subtopic]", "only this one")
    .option("--limit <number>", "at most this many", parseCount)
    .option("--archive", "also what was pruned")
    .action(
      (
        topic: string,
        subtopic: string | undefined,
        options: WorkspaceOptions & { limit?: number; archive?: boolean },
      ) =>
        withWorkspace(io, options, async (workspace) => {
          const { limit, archive = false } = options;
          const loaded = await workspace.topics().load({ topic, subtopic, limit, archive });
          const texts = loaded.entries.map(toText);
          if (loaded.entries.length < loaded.total)
            texts.push(`${loaded.entries.length} of ${loaded.total} shown. More: --limit`);
          if (loaded.unreadable.length > 0)
            texts.push(`Left out, since they cannot be read: ${loaded.unreadable.map(printable).join(", ")}.`);
          print(io, options.json === true, printableText(io, texts.join("\n\n")), { ...loaded });
        }),
    );

  operation("list", "list topics and subtopics").action((options: WorkspaceOptions) =>
    withWorkspace(io, options, async (workspace) => {
      const rows = await workspace.topics().list();
      const lines = rows.map(({ topic, subtopic, entries, newest }) =>
        printable(`${newest}  ${String(entries).padStart(3)}  ${topic}/${subtopic}`),
      );
      print(
        io,
        options.json === true,
        lines.join("\n") || "No topics yet. Store one with: recollect topics store build cache",
        {
          topics: rows,
        },
      );
    }),
  );

  operation("prune", "move what is too much into the archive: over 10 entries or 5 KB a file")
    .argument("[topic]", "only this one")
    .argument("[subtopic]", "only this one")
    .action((topic: string | undefined, subtopic: string | undefined, options: WorkspaceOptions) =>
      withWorkspace(io, options, async (workspace) => {
        const pruned = await workspace.topics().prune(topic === undefined ? undefined : { topic, subtopic });
        const lines = pruned.map((one) =>
          printable(`${one.archived} of ${one.topic}/${one.subtopic} went into the archive.`),
        );
        print(io, options.json === true, lines.join("\n") || "Nothing to prune.", { pruned });
      }),
    );

  operation("archive", "move old entries of one subtopic into the archive")
    .argument("<topic>", "the topic")
    .argument("<subtopic>", "the subtopic")
    .option("--before <date>", "those dated before this day, YYYY-MM-DD")
    .option("--keep <number>", "all but the newest so many", parseCount)
    .action((topic: string, subtopic: string, options: WorkspaceOptions & { before?: string; keep?: number }) =>
      withWorkspace(io, options, async (workspace) => {
        const { before, keep } = options;
        if (before === undefined && keep === undefined) {
          throw new RecollectError("INVALID_ARGUMENT", "Which entries? Give --before DATE or --keep NUMBER.");
        }
        const older = { ...(before === undefined ? {} : { before }), ...(keep === undefined ? {} : { keep }) };
        const moved = await workspace.topics().archive({ topic, subtopic }, older);
        print(io, options.json === true, `${moved.archived} went into the archive.`, { ...moved });
      }),
    );

  operation("reindex", "rebuild index.md from the files").action((options: WorkspaceOptions) =>
    withWorkspace(io, options, async (workspace) => {
      const { topics: count, changed } = await workspace.topics().reindex();
      print(io, options.json === true, `${count} subtopics; index.md ${changed ? "rebuilt" : "was right already"}.`, {
        topics: count,
        changed,
      });
    }),
  );

  return topics.addHelpText(
    "after",
    `
Examples:
  $ recollect topics store build cache                 in your editor ($VISUAL or $EDITOR)
  $ recollect topics store build cache --title "Stale cache" --context PROJ-12 \\
      --problem "CI used an old cache" --solution "Put the lockfile into its key"
  $ recollect topics load build --limit 3
  $ recollect topics load build cache --archive --json`,
  );
}

/** An editor would open on nothing, and what was said on the command line be lost. */
function assertTitled(options: StoreOptions): void {
  const fields = (["context", "problem", "solution", "code", "date"] as const).filter((name) => options[name]);
  if (options.title !== undefined || fields.length === 0) return;
  const given = fields.map((name) => `--${name}`).join(", ");
  throw new RecollectError("INVALID_ARGUMENT", `Give --title as well as ${given}, or none of them for your editor.`);
}

function saidIn({ title = "", context = "", problem = "", solution = "", code, date }: StoreOptions) {
  return { title, context, problem, solution, code, date };
}

function toText({ topic, subtopic, date, title, text, fields, isArchived }: LoadedEntry): string {
  const head = `${date}  ${title}  [${topic}/${subtopic}${isArchived ? ", archived" : ""}]`;
  const named = Object.entries(fields).map(([name, value]) => `  ${name}: ${value.replaceAll("\n", "\n  ")}`);
  return [head, ...(text === "" ? [] : [`  ${text.replaceAll("\n", "\n  ")}`]), ...named].join("\n");
}
