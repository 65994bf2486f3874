import { parseTopicFile, type RawEntry, renderTopicFile } from "../../notes/topics/topic-file.ts";
import type { EntryFormat } from "../entry-history.ts";

/** How history finds one entry of a file of topics, by its title, and puts it back. */
export const topicEntries: EntryFormat = {
  find: (text, title) => parseTopicFile(text).entries.find((entry) => entry.title === title)?.raw,
  put: (text, title, raw) => {
    const file = parseTopicFile(text);
    const at = file.entries.findIndex((entry) => entry.title === title);
    const entry: RawEntry = { date: parseTopicFile(raw).entries[0]?.date ?? "", title, raw: endingInLine(raw) };
    const entries = at === -1 ? [entry, ...file.entries] : file.entries.with(at, entry);
    const preamble = file.preamble === "" ? "" : endingInLine(file.preamble);
    return renderTopicFile({ preamble, entries });
  },
};

/** The end of a file need not be a newline; what stands in front of an entry must end in one. */
function endingInLine(raw: string): string {
  return raw.endsWith("\n") ? raw : `${raw}\n`;
}
