import { lineEndOf, putByDate, putOnTop, withoutSeparator } from "./join-entries.ts";
import { parseTopicFile, preambleOf, type RawEntry, renderTopicFile } from "./topic-file.ts";

const origin = /^\*\*Archived from:\*\* (.*)$/;

/** An entry on its way into the archive says where it came from, in the line below its heading. */
export function toArchived({ raw, ...entry }: RawEntry, subtopic: string): RawEntry {
  const end = raw.indexOf("\n") + 1;
  const line = lineEndOf(raw);
  const [heading, body] = end === 0 ? [`${raw}${line}`, ""] : [raw.slice(0, end), raw.slice(end)];
  return { ...entry, raw: `${heading}**Archived from:** ${subtopic}${line}${body}` };
}

/** The entry as it was before it went into the archive. */
export function fromArchived(entry: RawEntry): RawEntry {
  if (originOf(entry) === undefined) return entry;
  const heading = entry.raw.indexOf("\n") + 1;
  const body = entry.raw.indexOf("\n", heading) + 1 || entry.raw.length;
  return { ...entry, raw: entry.raw.slice(0, heading) + entry.raw.slice(body) };
}

/** The subtopic that an archived entry came from; undefined where a person wrote it there. */
export function originOf({ raw }: Pick<RawEntry, "raw">): string | undefined {
  return origin.exec(raw.split("\n", 2)[1]?.trimEnd() ?? "")?.[1];
}

/** The archive with newly pruned entries at its top. */
export function archiveWith(text: string, pruned: readonly RawEntry[]): string {
  const preamble = preambleOf(text);
  return renderTopicFile(putOnTop({ preamble, entries: [] }, pruned)) + text.slice(preamble.length);
}

/** The archive with entries that come from elsewhere among its own, each in the place of its date. */
export function archiveWithByDate(text: string, entries: readonly RawEntry[]): string {
  return renderTopicFile(entries.reduceRight(putByDate, parseTopicFile(text)));
}

/** Whether another entry says the same; a date that was left to the clock is not compared (TOP-3). */
export function sameAs(fresh: RawEntry, withDate: boolean): (entry: RawEntry) => boolean {
  const text = textOf(fresh);
  return (entry) => entry.title === fresh.title && (!withDate || entry.date === fresh.date) && textOf(entry) === text;
}

/** All that an entry says below its heading, but not where it came from. */
export function textOf(entry: RawEntry): string {
  const lines = entry.raw.replaceAll("\r\n", "\n").split("\n");
  const text = withoutSeparator(lines.slice(originOf(entry) === undefined ? 1 : 2).join("\n")).trimEnd();
  // Blank lines are no text, but an indented first line is code.
  return text.replace(/^(?:[ \t]*\n)+/, "");
}
