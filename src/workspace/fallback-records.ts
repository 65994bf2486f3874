import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import type { TopicName } from "../topics/topic-paths.ts";
import { openRecordFiles } from "./record-files.ts";

/** What makes an entry the one that was stored; its text may have been edited since. */
export interface EntryIdentity extends TopicName {
  readonly date: string;
  readonly title: string;
}

/** Which entries of the project's folder were stored there because the external memory could not be used (TOP-7). */
export interface FallbackRecords {
  add(entry: EntryIdentity): void;
  has(entry: EntryIdentity): boolean;
  forget(entry: EntryIdentity): void;
  isEmpty(): boolean;
}

/** One record an entry, named by a hash: what an entry says stands in the Markdown alone. */
export function openFallbackRecords(options: {
  /** The user's data folder; records lie in `fallback-entries/` below it. */
  readonly folder: string;
  /** Real path of the folder of topics. */
  readonly topics: string;
  readonly now?: () => number;
}): FallbackRecords {
  const { folder, topics, now = Date.now } = options;
  const records = openRecordFiles({
    folder: join(folder, "fallback-entries"),
    schema: z.object({ folder: z.string(), storedAt: z.string() }),
    what: "what was stored while the external memory could not be used",
    remedy: ", and see with “recollect topics move-over --all --dry-run” what is left in the project",
  });
  const nameOf = ({ topic, subtopic, date, title }: EntryIdentity) =>
    createHash("sha256")
      .update(JSON.stringify([topics, topic, subtopic, date, title]))
      .digest("hex");
  return {
    add: (entry) => records.write(nameOf(entry), { folder: topics, storedAt: new Date(now()).toISOString() }),
    has: (entry) => records.read(nameOf(entry)) !== undefined,
    forget: (entry) => void records.remove(nameOf(entry)),
    isEmpty: () => !records.list().some(({ entry }) => entry.folder === topics),
  };
}
