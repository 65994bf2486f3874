import { RecollectError } from "../../kernel/errors.ts";
import { closesFence, fenceClosedBy, fenceOpenedBy, parseEntryHeading } from "../../text/markdown-lines.ts";
import { withLineFeeds } from "../../text/split-lines.ts";
import { linesOf, type RawEntry, withoutSeparator } from "./topic-file.ts";

/** What an agent learned. */
export interface Entry {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly title: string;
  readonly context: string;
  readonly problem: string;
  readonly solution: string;
  readonly code?: string | undefined;
}

/** An entry as it was read: hand-written ones may have fewer fields, or others. */
export interface ReadEntry {
  readonly date: string;
  readonly title: string;
  /** Field by field, under lower-case names: context, problem, solution, code, and whatever else there is. */
  readonly fields: Readonly<Record<string, string>>;
  /** Text before the first field. */
  readonly text: string;
}

/** The name of a field at the beginning of a line, and what follows it. */
const label = /^\*\*([^*:\n]{1,40}):\*\*[ \t]?([^\n]*)$/;
const escaped = /^( {0,3})\\(?=\\*(?:##|\*\*|```|~~~))/;

/** Five of them always stay in one file, and that must fit into a document. */
const maxEntryBytes = 64 * 1024;

/** The entry as it goes into a file, with the separator at its end. */
export function renderEntry(entry: Entry): string {
  const { date, title, context, problem, solution, code } = entry;
  assertDate(date);
  const lines = [
    `## ${date}: ${oneLine(title)}`,
    ...field("Context", context),
    ...field("Problem", problem),
    ...field("Solution", solution),
    ...(code === undefined || code.trim() === "" ? [] : ["**Code:**", fenced(code)]),
  ];
  const text = `${lines.join("\n")}\n\n---\n\n`;
  const size = Buffer.byteLength(text);
  if (size <= maxEntryBytes) return text;
  throw new RecollectError(
    "TOO_LARGE",
    `The entry would have ${size} bytes, over the limit of ${maxEntryBytes}. Store what was learned, not the whole of it.`,
    { data: { size, limit: maxEntryBytes } },
  );
}

export function readEntry({ date, title, raw }: RawEntry): ReadEntry {
  const body = bodyOf({ raw });
  const parts: { name: string; lines: string[] }[] = [{ name: "", lines: [] }];
  for (const { line, inFence } of linesOf(body, 0)) {
    const [, name, rest = ""] = (inFence ? null : label.exec(line)) ?? [];
    if (name === undefined) parts.at(-1)?.lines.push(line);
    else parts.push({ name: name.trim().toLowerCase(), lines: rest === "" ? [] : [rest] });
  }
  const [first, ...named] = parts.map(({ name, lines }) => ({ name, text: unescapeLines(lines.join("\n").trim()) }));
  // Not an object while it is filled: people may name a field “constructor”.
  const fields = new Map<string, string>();
  for (const { name, text } of named) {
    const before = fields.get(name);
    fields.set(name, before === undefined ? text : `${before}\n${text}`);
  }
  const code = fields.get("code");
  if (code !== undefined) fields.set("code", unfenced(code));
  return { date, title, fields: Object.fromEntries(fields), text: first?.text ?? "" };
}

/** What stands below the heading of an entry, without the separator at its end. */
export function bodyOf({ raw }: Pick<RawEntry, "raw">): string {
  return withoutSeparator(raw.slice(raw.indexOf("\n") + 1 || raw.length).replaceAll("\r\n", "\n"));
}

/** A day that there is, as YYYY-MM-DD. Hand-written ones may be days that there are not. */
export function assertDate(date: string): void {
  const time = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(date)) return;
  throw new RecollectError("INVALID_ARGUMENT", "A date is written YYYY-MM-DD. Leave it out for today.");
}

/** An entry of one heading helps no later session. */
export function assertTold({ context, problem, solution, code = "" }: Omit<Entry, "date">): void {
  if ([context, problem, solution, code].some((text) => text.trim() !== "")) return;
  const says = "A title alone does not say what was learned. Give a context, a problem, a solution or code as well.";
  throw new RecollectError("INVALID_ARGUMENT", says);
}

function oneLine(title: string): string {
  if (title.trim() !== "" && !/[\r\n]/.test(title)) return title.trim();
  throw new RecollectError("INVALID_ARGUMENT", "The title of an entry is one line. Give it a short one.");
}

function field(name: string, given: string): string[] {
  const text = withLineFeeds(given).trim();
  if (text === "") return [];
  const safe = escapeLines(text);
  const [first = ""] = safe.split("\n", 1);
  // What begins a fence, or had to be escaped, must begin a line in the file as well.
  const isPlain = text.startsWith(first) && fenceOpenedBy(first) === undefined;
  return [`**${name}:**${isPlain ? " " : "\n"}${safe}`];
}

/** In a fence longer than any inside; what is a fence already stays. */
function fenced(code: string): string {
  const text = withLineFeeds(code).replace(/^\n+/, "").trimEnd();
  if (isOneFence(text)) return text;
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** Whether the first line opens a fence that the last one closes, and no other does. */
function isOneFence(text: string): boolean {
  const lines = text.split("\n");
  const open = fenceOpenedBy(lines[0] ?? "");
  if (open === undefined) return false;
  return lines.findIndex((line, index) => index > 0 && closesFence(line, open)) === lines.length - 1;
}

/** The fence of code without a language is only how it is written down. */
function unfenced(code: string): string {
  const lines = code.split("\n");
  return /^`{3,}$/.test(lines[0] ?? "") && isOneFence(code) ? lines.slice(1, -1).join("\n") : code;
}

/**
 * A line that would begin another entry, another field or a fence without an end is text here: it gets a
 * backslash, as Markdown has it. Nothing stored can be read as a second entry, nor swallow those below it.
 */
function escapeLines(text: string): string {
  return mapOutsideFences(text, (line) =>
    parseEntryHeading(line) || label.test(line) || fenceOpenedBy(line) || escaped.test(line)
      ? line.replace(/^ {0,3}/, (indent) => `${indent}\\`)
      : line,
  );
}

function unescapeLines(text: string): string {
  return mapOutsideFences(text, (line) => line.replace(escaped, "$1"));
}

function mapOutsideFences(text: string, change: (line: string) => string): string {
  const lines = text.split("\n");
  const fences = closedFences(lines);
  let open: string | undefined;
  return lines
    .map((line, index) => {
      if (open === undefined) {
        open = fences[index];
        return open === undefined ? change(line) : line;
      }
      if (closesFence(line, open)) open = undefined;
      return line;
    })
    .join("\n");
}

/** For each line the fence it would begin; one that nothing closes is none. From below, in one pass. */
function closedFences(lines: readonly string[]): (string | undefined)[] {
  const longest = { "`": 0, "~": 0 };
  return lines
    .toReversed()
    .map((line) => {
      const run = fenceOpenedBy(line);
      const isClosed = run !== undefined && run.length <= longest[kindOf(run)];
      const closing = fenceClosedBy(line);
      if (closing) longest[kindOf(closing)] = Math.max(longest[kindOf(closing)], closing.length);
      return isClosed ? run : undefined;
    })
    .toReversed();
}

function kindOf(run: string): "`" | "~" {
  return run.startsWith("`") ? "`" : "~";
}
