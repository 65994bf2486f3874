import fc from "fast-check";
import { expect, it } from "vitest";
import { readEntry, renderEntry } from "../../../src/notes/topics/entry.ts";
import { toArchived } from "../../../src/notes/topics/topic-archive.ts";
import { parseTopicFile, putOnTop, renderTopicFile } from "../../../src/notes/topics/topic-file.ts";
import { someRuns } from "../../helpers/some-cases.ts";
import { entry, markdown } from "./markdown.ts";

const entriesOf = (text: string) => parseTopicFile(text).entries;

it("TOP-2 a new entry changes only the top of a file, whatever Markdown it is, and is its first entry", () => {
  fc.assert(
    fc.property(markdown, entry, (text, given) => {
      const file = parseTopicFile(text);
      const fresh = entriesOf(renderEntry(given));
      const after = renderTopicFile(putOnTop(file, fresh));
      expect(after.startsWith(file.preamble)).toBe(true);
      expect(after.endsWith(text.slice(file.preamble.length))).toBe(true);
      expect(entriesOf(after)).toEqual([...fresh, ...file.entries]);
    }),
    { numRuns: someRuns(400, 2000) },
  );
});

it("TOP-4 entries of any file are the same in the archive, and hide none of those that are there", () => {
  fc.assert(
    fc.property(markdown, markdown, (topic, archive) => {
      const pruned = entriesOf(topic).map((one) => toArchived(one, "tokens"));
      const after = entriesOf(renderTopicFile(putOnTop(parseTopicFile(archive), pruned)));
      expect(after.slice(pruned.length)).toEqual(entriesOf(archive));
      for (const [index, before] of entriesOf(topic).entries()) {
        const archived = after[index];
        const body = archived?.raw.replace(/\n\*\*Archived from:\*\* tokens\r?\n/, "\n") ?? "";
        expect(body.startsWith(before.raw.trimEnd())).toBe(true);
        expect(archived).toMatchObject({ date: before.date, title: before.title });
        expect(archived && readEntry(archived).fields["archived from"]?.split("\n")[0]).toBe("tokens");
      }
    }),
    { numRuns: someRuns(400, 2000) },
  );
});
