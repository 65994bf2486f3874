import { lineEndOf, putOnTop } from "./join-entries.ts";
import { preambleOf, type RawEntry, renderTopicFile } from "./topic-file.ts";

const origin = /^\*\*Archived from:\*\* (.*)$/;

/** An entry on its way into the archive says where it came from, in the line below its heading. */
export function toArchived({ raw, ...entry }: RawEntry, subtopic: string): RawEntry {
  const end = raw.indexOf("\n") + 1;
  const line = lineEndOf(raw);
  const [heading, body] = end === 0 ? [`${raw}${line}`, ""] : [raw.slice(0, end), raw.slice(end)];
  return { ...entry, raw: `${heading}**Archived from:** ${subtopic}${line}${body}` };
}

/** The subtopic that an archived entry came from; undefined where a person wrote it there. */
export function originOf({ raw }: RawEntry): string | undefined {
  return origin.exec(raw.split("\n", 2)[1]?.trimEnd() ?? "")?.[1];
}

/** The archive with newly pruned entries at its top. */
export function archiveWith(text: string, pruned: readonly RawEntry[]): string {
  const preamble = preambleOf(text);
  return renderTopicFile(putOnTop({ preamble, entries: [] }, pruned)) + text.slice(preamble.length);
}
