import { splitFrontMatter } from "../../text/front-matter.ts";
import { closesFence, fenceOpenedBy, fences, parseEntryHeading } from "../../text/markdown-lines.ts";

/** One entry as it stands in a file: every byte of it, from its heading to the next one. */
export interface RawEntry {
  readonly date: string;
  readonly title: string;
  readonly raw: string;
}

/** A file of entries. Its parts, one after the other, are the file, byte for byte (TOP-2). */
export interface TopicFile {
  /** Whatever stands before the first entry. */
  readonly preamble: string;
  /** In the order of the file, which is newest first. */
  readonly entries: readonly RawEntry[];
}

export function parseTopicFile(text: string): TopicFile {
  const starts: { at: number; date: string; title: string }[] = [];
  for (const { line, at, inFence } of linesOf(text)) {
    const found = inFence ? undefined : parseEntryHeading(line);
    if (found) starts.push({ at, ...found });
  }
  const entries = starts.map(({ at, date, title }, index) => ({
    date,
    title,
    raw: text.slice(at, starts[index + 1]?.at),
  }));
  return { preamble: text.slice(0, starts[0]?.at), entries };
}

/** Whatever stands before the first entry, without a look at the rest of a long file. */
export function preambleOf(text: string): string {
  for (const { line, at, inFence } of linesOf(text)) {
    if (!inFence && parseEntryHeading(line)) return text.slice(0, at);
  }
  return text;
}

export function renderTopicFile({ preamble, entries }: TopicFile): string {
  return preamble + entries.map(({ raw }) => raw).join("");
}

interface Line {
  /** Without its newline. */
  readonly line: string;
  readonly at: number;
  /** Whether it lies in a code fence that began above it. */
  readonly inFence: boolean;
  /** The marks of the fence that is open below it. */
  readonly open: string | undefined;
}

/** The lines of a text from a place on; of a file, those below its front matter, which has neither fences nor entries. */
export function* linesOf(text: string, from = splitFrontMatter(text).frontMatter.length): Generator<Line> {
  let open: string | undefined;
  for (let at = from; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const line = text.slice(at, end === -1 ? undefined : end);
    const inFence = open !== undefined;
    if (open === undefined) open = fenceOpenedBy(line, fences.topic);
    else if (closesFence(line, open)) open = undefined;
    yield { line, at, inFence, open };
    if (end === -1) return;
    at = end + 1;
  }
}

/** The fence that a text leaves open, which would swallow everything below it. */
function openFenceOf(text: string): string | undefined {
  let last: string | undefined;
  for (const { open } of linesOf(text)) last = open;
  return last;
}

/** TOP-4: over either of these a file is pruned. */
export const maxEntries = 10;
export const maxBytes = 5120;
/** So many stay whatever their size. */
const leastEntries = 5;

/** What stays, and what goes into the archive, both newest first. */
export function pruneEntries(file: TopicFile): { kept: TopicFile; pruned: readonly RawEntry[] } {
  let count = Math.min(file.entries.length, maxEntries);
  while (count > leastEntries && sizeOf(file, count) > maxBytes) count -= 1;
  return { kept: { ...file, entries: file.entries.slice(0, count) }, pruned: file.entries.slice(count) };
}

function sizeOf(file: TopicFile, count: number): number {
  return Buffer.byteLength(renderTopicFile({ ...file, entries: file.entries.slice(0, count) }));
}

/** The file with entries at its top, below what stands before the first entry (TOP-1b). */
export function putOnTop(file: TopicFile, entries: readonly RawEntry[]): TopicFile {
  return { preamble: closed(file.preamble), entries: [...entries.map(separated), ...file.entries] };
}

/** The file with an entry above the first one that is not newer by its date. */
export function putByDate(file: TopicFile, entry: RawEntry): TopicFile {
  const older = file.entries.findIndex(({ date }) => date <= entry.date);
  const at = older === -1 ? file.entries.length : older;
  // What stands above is as much a beginning of the file as its preamble is.
  const preamble = renderTopicFile({ ...file, entries: file.entries.slice(0, at) });
  return parseTopicFile(renderTopicFile(putOnTop({ preamble, entries: file.entries.slice(at) }, [entry])));
}

/** The entry with the line ends of a file. */
export function withLineEndsOf(file: TopicFile, entry: RawEntry): RawEntry {
  const line = lineEndOf(file.entries[0]?.raw ?? file.preamble);
  return { ...entry, raw: entry.raw.replaceAll("\r\n", "\n").replaceAll("\n", line) };
}

/** The line ends that a text has. */
export function lineEndOf(text: string): "\r\n" | "\n" {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** The text of an entry without the separator at its end. */
export function withoutSeparator(text: string): string {
  const body = text.trimEnd();
  const last = body.lastIndexOf("\n") + 1;
  return /^-{3,}$/.test(body.slice(last)) ? body.slice(0, last) : body;
}

/** A hand-written entry may have no separator and no blank line at its end. */
export function separated(entry: RawEntry): RawEntry {
  const raw = closed(entry.raw);
  if (withoutSeparator(raw) !== raw.trimEnd()) return { ...entry, raw };
  const line = lineEndOf(raw);
  return { ...entry, raw: `${raw.trimEnd()}${line}${line}---${line}${line}` };
}

/** What is put below a text must begin a line, and not lie in a fence that the text leaves open. */
export function closed(text: string): string {
  if (text === "" || text === "\uFEFF") return text;
  const line = lineEndOf(text);
  const fence = openFenceOf(text);
  if (fence !== undefined) return `${text}${text.endsWith("\n") ? "" : line}${fence}${line}${line}`;
  return text.endsWith("\n") ? text : `${text}${line}${line}`;
}
