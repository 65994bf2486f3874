import { openFenceOf, parseTopicFile, type RawEntry, renderTopicFile, type TopicFile } from "./topic-file.ts";

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
