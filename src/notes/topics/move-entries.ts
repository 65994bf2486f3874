import { type ExistingPath, parseDocumentPath } from "../../kernel/document-path.ts";
import type { Change } from "../../kernel/store.ts";
import { changeTopic, type TopicContext } from "./change-topic.ts";
import { readEntries } from "./scan-topics.ts";
import { archiveWithByDate, fromArchived, originOf, sameAs, yearOf } from "./topic-archive.ts";
import {
  parseTopicFile,
  pruneEntries,
  putByDate,
  type RawEntry,
  renderTopicFile,
  separated,
  type TopicFile,
  withLineEndsOf,
} from "./topic-file.ts";
import { compareArchivePaths, nameOfTopicPath, type TopicName, topicOfArchivePath } from "./topic-paths.ts";

/** An entry, and where it lies. */
export interface PlacedEntry extends TopicName {
  readonly path: ExistingPath;
  readonly entry: RawEntry;
  readonly isArchived: boolean;
}

export interface PlacedEntries {
  /** Newest first within a subtopic: first those of its file, then those of the archive. */
  readonly entries: readonly PlacedEntry[];
  /** Files that are no text, or cannot be read. */
  readonly unreadable: readonly string[];
}

/** Every entry of a folder of topics. Those that people wrote into an archive belong to no subtopic, and are left out. */
export async function listPlacedEntries({ documents, root }: TopicContext): Promise<PlacedEntries> {
  const [entries, unreadable]: [PlacedEntry[], string[]] = [[], []];
  for (const path of await pathsIn({ documents, root })) {
    const found = await readEntries(documents, root, path);
    if (found) entries.push(...found.flatMap((entry) => placed(path, entry) ?? []));
    else unreadable.push(path);
  }
  return { entries, unreadable };
}

/**
 * Moves one entry as it stands, every byte of its text, into another folder of topics: first it is stored there, then
 * taken out here. Whoever is killed in between does it once more, and what is there already is not stored twice.
 * False where it could not be taken out, since somebody changed it in the meantime.
 */
export async function moveEntry(moved: PlacedEntry, from: TopicContext, to: TopicContext): Promise<boolean> {
  await storeThere(moved, to);
  return moved.isArchived ? takeOutOfArchive(moved, from) : takeOutOfTopic(moved, from);
}

async function storeThere({ topic, subtopic, entry, isArchived }: PlacedEntry, to: TopicContext): Promise<void> {
  const fresh = separated(fromArchived(entry));
  const isSame = sameAs(fresh, true);
  await changeTopic(
    { topic, subtopic },
    (file, archived) => {
      if (file.entries.some(isSame)) return undefined;
      if (archived.some((one) => originOf(one) === subtopic && isSame(one))) return undefined;
      const next = isArchived
        ? { kept: file, pruned: [fresh] }
        : pruneEntries(putByDate(file, withLineEndsOf(file, fresh)));
      return { ...next, joinArchive: archiveWithByDate };
    },
    to,
    { years: [yearOf(fresh)], title: fresh.title },
  );
}

async function takeOutOfTopic({ topic, subtopic, entry }: PlacedEntry, from: TopicContext): Promise<boolean> {
  const changed = await changeTopic(
    { topic, subtopic },
    (file) => {
      const kept = without(file, entry);
      return kept && { kept, pruned: [], removeEmpty: true };
    },
    from,
  );
  return changed !== undefined;
}

async function takeOutOfArchive({ path, entry }: PlacedEntry, from: TopicContext): Promise<boolean> {
  const at = { root: from.root, path: parseDocumentPath(path) };
  const result = await from.documents.commit(
    [at],
    (current): Change[] | "changed" => {
      const kept = without(parseTopicFile(current(at)?.content ?? ""), entry);
      if (!kept) return "changed";
      const content = renderTopicFile(kept);
      return content === "" ? [{ kind: "remove", at }] : [{ kind: "put", at, content }];
    },
    from.stamp,
  );
  return result !== "changed";
}

/** Undefined where it is not there any more as it was. */
function without(file: TopicFile, { raw }: RawEntry): TopicFile | undefined {
  const index = file.entries.findIndex((one) => one.raw === raw);
  return index === -1 ? undefined : { ...file, entries: file.entries.toSpliced(index, 1) };
}

function placed(path: ExistingPath, entry: RawEntry): PlacedEntry | undefined {
  const name = nameOfTopicPath(path);
  if (name) return { ...name, path, entry, isArchived: false };
  const [topic, subtopic] = [topicOfArchivePath(path), originOf(entry)];
  return topic === undefined || subtopic === undefined ? undefined : { topic, subtopic, path, entry, isArchived: true };
}

/** Files of topics, then archives, each with its newest part first. */
async function pathsIn({ documents, root }: Pick<TopicContext, "documents" | "root">): Promise<ExistingPath[]> {
  const [own, archived]: [ExistingPath[], ExistingPath[]] = [[], []];
  for (let after: string | undefined; ; ) {
    const page = await documents.list({ root, ...(after === undefined ? {} : { after }) });
    for (const { path, remark } of page.entries) {
      if (remark !== undefined) continue;
      if (nameOfTopicPath(path)) own.push(path);
      else if (topicOfArchivePath(path) !== undefined) archived.push(path);
    }
    if (page.next === undefined) return [...own, ...archived.toSorted(compareArchivePaths)];
    after = page.next;
  }
}
