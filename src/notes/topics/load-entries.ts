import { comparePaths, type ExistingPath } from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import { RecollectError } from "../../kernel/errors.ts";
import { type ReadEntry, readEntry } from "./entry.ts";
import { listTopicNames, mayBeIndexed, readEntries } from "./scan-topics.ts";
import { fromArchived, originOf } from "./topic-archive.ts";
import { parseTopicFile, type RawEntry } from "./topic-file.ts";
import {
  archiveOf,
  compareArchivePaths,
  indexPath,
  meantTopic,
  parseSubtopic,
  parseTopic,
  type TopicName,
  topicPath,
} from "./topic-paths.ts";

export interface LoadedEntry extends ReadEntry, TopicName {
  readonly isArchived: boolean;
}

/** The entries that were asked for, the newest first. */
export interface LoadedEntries {
  readonly entries: readonly LoadedEntry[];
  readonly total: number;
  /** Files of the topic that are no text, or cannot be read. */
  readonly unreadable: readonly string[];
}

/** Which entries to load. */
export interface LoadRequest {
  readonly topic: string;
  readonly subtopic?: string | undefined;
  readonly limit?: number | undefined;
  /** Also what was pruned. */
  readonly archive?: boolean | undefined;
}

interface LoadContext {
  readonly documents: Documents;
  readonly root: string;
  readonly accessed: (paths: readonly string[]) => void;
}

const defaultLimit = 10;
const maxLimit = 1000;

/** The entries of a subtopic in the order of its file, then of the archive; those of a topic by date. */
export async function loadEntries(request: LoadRequest, context: LoadContext): Promise<LoadedEntries> {
  const limit = request.limit ?? defaultLimit;
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    throw new RecollectError("INVALID_ARGUMENT", `The limit is a whole number from 1 to ${maxLimit}.`);
  }
  const meant = meantTopic(request.topic, request.subtopic, context.root);
  const topic = parseTopic(meant.topic);
  const subtopic = meant.subtopic === undefined ? undefined : parseSubtopic(meant.subtopic);
  const files = [
    ...(await ownFiles(context, topic, subtopic)),
    ...(request.archive || meant.isArchive ? await archiveFiles(context, topic, subtopic) : []),
  ];
  if (!files.some(({ isArchived, entries }) => !isArchived || entries?.length)) {
    throw await missingTopic(context, topic, subtopic);
  }
  const read = files.filter(({ entries }) => entries !== undefined);
  context.accessed(read.map(({ path }) => path));
  const found = read.flatMap(({ entries }) => entries ?? []);
  // Positions in several files cannot be compared.
  const sorted = subtopic === undefined ? found.toSorted((a, b) => comparePaths(b.date, a.date)) : found;
  const called = sorted.filter(({ title }) => title === meant.title);
  const asked = called.length > 0 ? called : sorted;
  return {
    entries: asked.slice(0, limit),
    total: asked.length,
    unreadable: files.filter(({ entries }) => entries === undefined).map(({ path }) => path),
  };
}

/** The error for what is not there, which says what is. */
export async function missingTopic(
  { documents, root }: Pick<LoadContext, "documents" | "root">,
  topic: string,
  subtopic: string | undefined,
): Promise<RecollectError> {
  const names = await namesToShow(documents, root);
  const inTopic = names.filter((name) => name.topic === topic).map((name) => name.subtopic);
  const known = inTopic.length > 0 ? inTopic : [...new Set(names.map((name) => name.topic))];
  const there = known.length > 0 ? ` There are: ${known.slice(0, 20).join(", ")}.` : " Nothing was stored yet.";
  const asked = subtopic === undefined ? topic : `${topic}/${subtopic}`;
  // Somebody may ask for a token (GUARD-3).
  if (!(await documents.accepts({ root, path: indexPath }, asked))) {
    return new RecollectError("NOT_FOUND", `There is no such topic.${there}`);
  }
  const what = inTopic.length > 0 ? `subtopic “${subtopic}” in “${topic}”` : `topic “${topic}”`;
  return new RecollectError("NOT_FOUND", `There is no ${what}.${there}`, { data: { topic, subtopic } });
}

/** Those that the guard would let be stored: a topic made by hand may have a secret for its name. */
export async function namesToShow(documents: Documents, root: string): Promise<TopicName[]> {
  const names = await listTopicNames(documents, root);
  const isShown = (some: readonly TopicName[]) =>
    mayBeIndexed(
      documents,
      root,
      some.map((name) => ({ ...name, entries: 1, newest: "" })),
    );
  if (await isShown(names)) return names;
  const shown: TopicName[] = [];
  for (const name of names) if (await isShown([name])) shown.push(name);
  return shown;
}

interface LoadedFile {
  readonly path: ExistingPath;
  readonly isArchived: boolean;
  readonly entries: readonly LoadedEntry[] | undefined;
}

async function ownFiles(
  { documents, root }: LoadContext,
  topic: string,
  subtopic: string | undefined,
): Promise<LoadedFile[]> {
  const toLoaded = (entry: RawEntry, name: TopicName) => ({ ...readEntry(entry), ...name, isArchived: false });
  if (subtopic !== undefined) {
    // Asked for by name: why it cannot be read is the answer.
    const name = { topic, subtopic };
    const path = topicPath(name);
    const document = await documents.read({ root, path });
    if (!document) return [];
    const { entries } = parseTopicFile(document.content);
    return [{ path, isArchived: false, entries: entries.map((entry) => toLoaded(entry, name)) }];
  }
  const files: LoadedFile[] = [];
  for (const name of await listTopicNames(documents, root, topic)) {
    const path = topicPath(name);
    const entries = await readEntries(documents, root, path);
    files.push({ path, isArchived: false, entries: entries?.map((entry) => toLoaded(entry, name)) });
  }
  return files;
}

async function archiveFiles(
  { documents, root }: LoadContext,
  topic: string,
  only: string | undefined,
): Promise<LoadedFile[]> {
  const listing = await documents.browse({ root, folder: archiveOf(topic) });
  const files: LoadedFile[] = [];
  for (const path of (listing?.files ?? []).filter((one) => one.endsWith(".md")).toSorted(compareArchivePaths)) {
    const entries = (await readEntries(documents, root, path))
      ?.map((entry) => toArchivedEntry(entry, topic))
      .filter((entry) => only === undefined || entry.subtopic === only);
    if (entries?.length !== 0) files.push({ path, isArchived: true, entries });
  }
  return files;
}

function toArchivedEntry(entry: RawEntry, topic: string): LoadedEntry {
  return { ...readEntry(fromArchived(entry)), topic, subtopic: originOf(entry) ?? "", isArchived: true };
}
