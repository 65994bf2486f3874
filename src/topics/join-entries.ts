import { openFenceOf, type RawEntry, type TopicFile } from "./topic-file.ts";

/** The file with entries at its top, below what stands before the first entry (TOP-1b). */
export function putOnTop(file: TopicFile, entries: readonly RawEntry[]): TopicFile {
  return { preamble: closed(file.preamble), entries: [...entries.map(separated), ...file.entries] };
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
function separated(entry: RawEntry): RawEntry {
  const raw = closed(entry.raw);
  if (withoutSeparator(raw) !== raw.trimEnd()) return { ...entry, raw };
  const line = lineEndOf(raw);
  return { ...entry, raw: `${raw.trimEnd()}${line}${line}---${line}${line}` };
}

/** What is put below a text must begin a line, and not lie in a fence that the text leaves open. */
function closed(text: string): string {
  if (text === "" || text === "\uFEFF") return text;
  const line = lineEndOf(text);
  const fence = openFenceOf(text);
  if (fence !== undefined) return `${text}${text.endsWith("\n") ? "" : line}${fence}${line}${line}`;
  return text.endsWith("\n") ? text : `${text}${line}${line}`;
}
