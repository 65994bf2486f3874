import { Command } from "commander";
import {
  defaultLimit,
  type Explanation,
  type Hit,
  isRecollectError,
  printedName,
  RecollectError,
  type SearchPage,
  type Snippet,
} from "../app.ts";
import { exitCodes, type Io, print, printable } from "./output.ts";
import { showProgress, tellSearchWarnings, withSearch } from "./with-search.ts";
import { parseCount, parseLimit, type WorkspaceOptions, withWorkspaceOptions } from "./workspace-options.ts";

type SearchOptions = WorkspaceOptions & {
  readonly topic?: string;
  readonly since?: string;
  readonly until?: string;
  readonly path?: string;
  readonly root?: string;
  readonly limit?: number;
  readonly page?: number;
  readonly offset?: number;
  readonly explain?: boolean;
};

/** `recollect search …`: everything that is remembered, best first. */
export function searchCommand(io: Io, setExitCode: (code: number) => void, open = withSearch): Command {
  return withWorkspaceOptions(new Command("search"))
    .description("search all notes, entries and files of memory, best first")
    .argument("<query...>", 'words; also "phrases in quotes", -word, topic:NAME, since:DATE, path:GLOB')
    .option("--topic <name>", "only this topic")
    .option("--since <date>", "from this day on, YYYY-MM-DD")
    .option("--until <date>", "up to this day")
    .option("--path <glob>", "only paths such as auth/**")
    .option("--root <folder>", "only this folder of memory, as results name it")
    .option("--limit <number>", `at most this many (default: ${defaultLimit})`, parseLimit)
    .option("--page <number>", "the next ones: 2, 3 and so on", parseLimit)
    .option("--offset <number>", "leave out the first so many", parseCount)
    .option("--explain", "say why each was found")
    .option("--json", "answer with one JSON object")
    .action((words: readonly string[], options: SearchOptions) =>
      open(io, options, async (search, workspace) => {
        const json = options.json === true;
        const query = words.join(" ");
        const { limit = defaultLimit, offset = offsetOf(options) } = options;
        const progress = showProgress(io, json);
        const request = { query, limit, offset, ...filtersOf(options), explain: options.explain === true };
        const page = await search
          .search(request, progress.onProgress)
          .catch((error: unknown) => Promise.reject(inPages(error, options)))
          .finally(progress.end);
        tellSearchWarnings(io, json, page.warnings, workspace.warnings);
        if (page.hits.length === 0) setExitCode(exitCodes.notFound);
        if (json) print(io, true, "", { ...page, offset, leftOut: page.total - page.hits.length });
        else if (page.hits.length === 0) io.err(`recollect: ${nothingFound(query, page.total)}\n`);
        // Not by print: what makes a match stand out is a control character too.
        else io.out(`${toText(page, offset, limit, styleOf(io))}\n`);
      }),
    )
    .addHelpText(
      "after",
      `
Exit code 3 means that nothing was found.

Examples:
  $ recollect search stale cache
  $ recollect search '"connection reset" -redis' --since 2026-01-01
  $ recollect search how do we log in --path "auth/**" --explain
  $ recollect search cache --topic build --limit 20 --page 2 --json`,
    );
}

function filtersOf({ topic, since, until, path, root }: SearchOptions) {
  return {
    ...(topic === undefined ? {} : { topic }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(path === undefined ? {} : { path }),
    ...(root === undefined ? {} : { root }),
  };
}

function offsetOf({ page = 1, limit = defaultLimit }: SearchOptions): number {
  return (page - 1) * limit;
}

/** Who turned pages knows of no offset. */
function inPages(error: unknown, { page, offset }: SearchOptions): unknown {
  const isTooFar = isRecollectError(error) && error.data?.["parameter"] === "offset";
  if (!isTooFar || page === undefined || offset !== undefined) return error;
  const says = `There is no page ${page}: the results end before it. Narrow the search by more words, --topic, --since or --path.`;
  return new RecollectError("INVALID_ARGUMENT", says, { data: { parameter: "page" } });
}

function nothingFound(query: string, total: number): string {
  const short = query.length > 200 ? `${query.slice(0, 200)}…` : query;
  if (total > 0) return `Nothing more: ${total} in all.`;
  return `Nothing found for “${printable(short)}”. Try other words, or fewer.`;
}

function toText({ hits, total }: SearchPage, offset: number, limit: number, style: Style): string {
  const lines = hits.flatMap((hit, at) => toLines(hit, offset + at + 1, style));
  const last = offset + hits.length;
  const next = offset % limit === 0 ? `--page ${offset / limit + 2}` : `--offset ${last}`;
  if (hits.length < total) {
    const which = offset === 0 ? `${hits.length}` : `${offset + 1} to ${last}`;
    lines.push(`${which} of ${total} shown.${last < total ? ` More: ${next}` : ""}`);
  }
  return lines.join("\n");
}

const kinds = { memory: "note", topic: "lesson", bank: "file", agent: "file" } as const;

function toLines(hit: Hit, number: number, { strong, faint, marked }: Style): string[] {
  const { kind, date, lines, snippet, flagged, explanation, score } = hit;
  const place = lines.from === lines.to ? `line ${lines.from}` : `lines ${lines.from}-${lines.to}`;
  return [
    `${String(number).padStart(2)}  ${strong(printedName(hit))}${faint(`  (${kinds[kind]}, ${date}, ${place})`)}`,
    `    ${marked(snippet)}`,
    ...(flagged ? ["    The guard finds something in it that must not be shown: recollect guard scan"] : []),
    ...(explanation === undefined ? [] : [`    ${faint(toReason(explanation, score))}`]),
  ];
}

function toReason({ terms, ...parts }: Explanation, score: number): string {
  const weighed = Object.entries(parts).map(([part, value]) => `${part} ${value.toFixed(3)}`);
  const words = terms.map((one) => `${one.for} as ${one.term} ${one.score.toFixed(3)}`);
  return [`score ${score.toFixed(3)} = ${weighed.join(" + ")}`, ...words].join("; ");
}

/** How parts of an answer stand out on a terminal; elsewhere they are plain. All that comes out is safe to print. */
interface Style {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly marked: (snippet: Snippet) => string;
}

const [bold, dim, found, off] = ["\u001b[1m", "\u001b[2m", "\u001b[1;31m", "\u001b[0m"];

function styleOf(io: Io): Style {
  const env = io.place?.env ?? process.env;
  const isPlain = !io.terminal || (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  const within = (sign: string) => (text: string) => (isPlain ? printable(text) : `${sign}${printable(text)}${off}`);
  return { strong: within(bold), faint: within(dim), marked: (snippet) => toMarked(snippet, within(found)) };
}

/** Piece by piece, since what is made harmless can get longer. */
function toMarked({ text, marks }: Snippet, mark: (text: string) => string): string {
  let [marked, at] = ["", 0];
  for (const { from, to } of marks) {
    marked += printable(text.slice(at, from)) + mark(text.slice(from, to));
    at = to;
  }
  return marked + printable(text.slice(at));
}
