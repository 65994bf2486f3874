import { Command } from "commander";
import {
  counted,
  type FallbackEntry,
  isRecollectError,
  type LeftEntry,
  type LoadedEntry,
  originalOfConflict,
  parseTopicName,
  RecollectError,
  type Topics,
} from "../app.ts";
import { storeEdited } from "./edit-entry.ts";
import { type EditedEntry, parseEntryText } from "./entry-text.ts";
import { operationsOf } from "./operations.ts";
import { exitCodes, type Io, print, printable, printableText } from "./output.ts";
import { nameMask, ownRefusals } from "./own-guard.ts";
import { textOf } from "./text-input.ts";
import { parseCount, parseLimit, type WorkspaceOptions, withWorkspace } from "./workspace-options.ts";

type StoreOptions = WorkspaceOptions & {
  readonly from?: string;
  readonly title?: string;
  readonly context?: string;
  readonly problem?: string;
  readonly solution?: string;
  readonly code?: string;
  readonly date?: string;
};

/** `recollect topics …`: dated entries, newest first, for people and scripts. */
export function topicsCommand(io: Io, setExitCode: (code: number) => void): Command {
  const topics = new Command("topics").description("what was learned, as dated entries by topic, newest first");
  const operation = operationsOf(topics);

  operation(
    "store",
    "store an entry; without --title in your editor",
    'recollect topics store build cache --title "Stale cache" --problem "CI used an old cache" --solution "A new key"',
    "recollect topics store build cache --from entry.md",
  )
    .argument("<topic>", "such as build")
    .argument("<subtopic>", "such as cache")
    .option("--title <text>", "one line")
    .option("--context <text>", "the task")
    .option("--problem <text>", "what went wrong")
    .option("--solution <text>", "how it was solved")
    .option("--code <text>", "an example")
    .option("--date <date>", "YYYY-MM-DD; by default today")
    .option("--from <file>", "take the whole entry from a file, as the editor shows it")
    .action((topic: string, subtopic: string, options: StoreOptions) =>
      withWorkspace(io, options, async (workspace) => {
        await assertTopics(workspace.topics);
        parseTopicName(topic, subtopic);
        assertTold(options);
        const store = (said: EditedEntry) => workspace.topics.store({ topic, subtopic, ...said });
        const json = options.json === true;
        const said = await saidIn(io, options);
        const stored = said
          ? await store(said)
          : await storeEdited(io, { json, scan: await ownRefusals(workspace) }, store);
        const name = stored.path.replace(/\.md$/, "");
        const lines = [stored.alreadyStored ? `It is in ${name} or its archive already.` : `Stored in ${name}.`];
        if (stored.archived > 0) lines.push(`${stored.archived} older went into the archive.`);
        print(io, json, lines.join("\n"), { ...stored });
        tellWarnings(io, json, stored.warnings);
      }),
    );

  operation(
    "load",
    "print the entries of a topic",
    "recollect topics load build --limit 3",
    "recollect topics load build cache --archive --json",
  )
    .argument("<topic>", "the topic")
    .argument("[subtopic]", "only this one")
    .option("--limit <number>", "at most this many", parseLimit)
    .option("--archive", "also what was pruned")
    .action(
      (
        topic: string,
        subtopic: string | undefined,
        options: WorkspaceOptions & { limit?: number; archive?: boolean },
      ) =>
        withWorkspace(io, options, async (workspace) => {
          const { limit, archive = false } = options;
          const loaded = await workspace.topics.load({ topic, subtopic, limit, archive });
          const texts = loaded.entries.map(toText);
          if (loaded.entries.length < loaded.total)
            texts.push(`${loaded.entries.length} of ${loaded.total} shown. More: --limit`);
          if (loaded.unreadable.length > 0)
            texts.push(`Left out, since they cannot be read: ${loaded.unreadable.map(printable).join(", ")}.`);
          print(io, options.json === true, printableText(io, texts.join("\n\n")), { ...loaded });
        }),
    );

  operation("list", "list topics and subtopics", "recollect topics list --json").action((options: WorkspaceOptions) =>
    withWorkspace(io, options, async (workspace) => {
      const mask = await nameMask(workspace);
      const found = await workspace.topics.list();
      const rows = found.map((row) => ({ ...row, topic: mask(row.topic), subtopic: mask(row.subtopic) }));
      const lines = rows.map(({ topic, subtopic, entries, newest }) => {
        const original = originalOfConflict(`${topic}/${subtopic}`);
        const mark = original === undefined ? "" : `  [conflict: another version of ${original}]`;
        return printable(`${newest}  ${String(entries).padStart(3)}  ${topic}/${subtopic}${mark}`);
      });
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

  operation(
    "prune",
    "move what is too much into the archive: over 10 entries or 5 KB a file",
    "recollect topics prune build",
  )
    .argument("[topic]", "only this one")
    .argument("[subtopic]", "only this one")
    .action((topic: string | undefined, subtopic: string | undefined, options: WorkspaceOptions) =>
      withWorkspace(io, options, async (workspace) => {
        const pruned = await workspace.topics.prune(topic === undefined ? undefined : { topic, subtopic });
        const lines = pruned.map((one) =>
          printable(`${one.archived} of ${one.topic}/${one.subtopic} went into the archive.`),
        );
        print(io, options.json === true, lines.join("\n") || "Nothing to prune.", { pruned });
        tellWarnings(io, options.json === true, [...new Set(pruned.flatMap(({ warnings }) => warnings))]);
      }),
    );

  operation(
    "archive",
    "move old entries of one subtopic into the archive",
    "recollect topics archive build cache --before 2026-01-01",
    "recollect topics archive build cache --keep 3",
  )
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
        const moved = await workspace.topics.archive({ topic, subtopic }, older);
        print(io, options.json === true, `${moved.archived} went into the archive.`, { ...moved });
        tellWarnings(io, options.json === true, moved.warnings);
      }),
    );

  operation("reindex", "rebuild index.md from the files", "recollect topics reindex").action(
    (options: WorkspaceOptions) =>
      withWorkspace(io, options, async (workspace) => {
        const { topics: count, changed, leftOut } = await workspace.topics.reindex();
        const lines = [`${count} subtopics; index.md ${changed ? "rebuilt" : "was right already"}.`];
        if (leftOut > 0)
          lines.push(`${leftOut} left out, since the guard refuses the name. Rename the file or folder.`);
        print(io, options.json === true, lines.join("\n"), { topics: count, changed, leftOut });
      }),
  );

  operation(
    "move-over",
    "move to the external memory what was stored in the project while that failed",
    "recollect topics move-over --dry-run",
  )
    .option("--all", "everything in the project's folder of topics, also what was stored there on purpose")
    .option("--dry-run", "only show what would be moved")
    .action((options: WorkspaceOptions & { all?: boolean; dryRun?: boolean }) =>
      withWorkspace(io, options, async ({ fallbackEntries }) => {
        if (!fallbackEntries) throw noExternalMemory();
        const { all, dryRun = false } = options;
        const { moved, left } = dryRun
          ? { moved: await fallbackEntries.list({ all }), left: [] }
          : await fallbackEntries.moveOver({ all });
        const lines = [
          ...moved.map((entry) => `  ${toLine(entry)}`),
          ...left.map((entry) => `  ${toLine(entry)} stays: ${entry.reason}`),
          `${counted(moved.length, "entry", "entries")} ${dryRun ? "to move" : "moved"}${left.length > 0 ? `, ${left.length} left in the project` : ""}.`,
        ];
        print(io, options.json === true, lines.map(printable).join("\n"), { moved, left, dryRun });
        if (left.length > 0) setExitCode(exitCodes.failed);
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

/** On stderr: stdout belongs to the answer, which holds them too in JSON. */
function tellWarnings(io: Io, json: boolean, warnings: readonly string[]): void {
  if (!json) for (const warning of warnings) io.err(`recollect: ${printable(warning)}\n`);
}

const textOptions = ["context", "problem", "solution", "code"] as const;

/** Before an editor opens on nothing, and what was said on the command line is lost. */
function assertTold(options: StoreOptions): void {
  const given = [...textOptions, "date" as const].filter((name) => options[name]).map((name) => `--${name}`);
  if (options.from !== undefined && (options.title !== undefined || given.length > 0)) {
    throw new RecollectError("INVALID_ARGUMENT", "Give the entry once: --from FILE, or --title and the other fields.");
  }
  if (options.title !== undefined) {
    // Topics refuse it, too; here the options can be named.
    if (textOptions.some((name) => options[name]?.trim())) return;
    const says =
      "A title alone does not say what was learned. Give --context, --problem, --solution or --code as well.";
    throw new RecollectError("INVALID_ARGUMENT", says);
  }
  if (given.length === 0) return;
  const says = `Give --title as well as ${given.join(", ")}, or none of them for your editor.`;
  throw new RecollectError("INVALID_ARGUMENT", says);
}

/** Undefined where it is to be written in an editor. */
async function saidIn(io: Io, options: StoreOptions): Promise<EditedEntry | undefined> {
  const { from, title, context = "", problem = "", solution = "", code, date } = options;
  if (from !== undefined) return parseEntryText(await textOf(io, { file: from }, "--from"));
  return title === undefined ? undefined : { title, context, problem, solution, code, date };
}

function noExternalMemory(): RecollectError {
  return new RecollectError(
    "NOT_FOUND",
    "There is no external memory in use, so there is nowhere to move to. See memory_configuration in: recollect config show",
  );
}

function toLine({ topic, subtopic, date, title, isArchived }: Partial<FallbackEntry> | LeftEntry): string {
  const place = topic === undefined ? [] : [`[${topic}/${subtopic}${isArchived ? ", archived" : ""}]`];
  return [date ?? "", ...(title === undefined ? [] : [title]), ...place].join("  ").trim();
}

function toText({ topic, subtopic, date, title, text, fields, isArchived }: LoadedEntry): string {
  const head = `${date}  ${title}  [${topic}/${subtopic}${isArchived ? ", archived" : ""}]`;
  const named = Object.entries(fields).map(([name, value]) => `  ${name}: ${value.replaceAll("\n", "\n  ")}`);
  return [head, ...(text === "" ? [] : [`  ${text.replaceAll("\n", "\n  ")}`]), ...named].join("\n");
}

/** Before a person writes in vain. A folder that cannot be read may be mended until the entry is written. */
async function assertTopics(topics: Topics): Promise<void> {
  try {
    await topics.names();
  } catch (error) {
    if (isRecollectError(error) && ["NOT_FOUND", "NOT_ALLOWED", "SYNC_FAILED"].includes(error.code)) throw error;
  }
}
