import { comparePaths, type ExistingPath } from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import { RecollectError } from "../../kernel/errors.ts";
import { bodyOf } from "./entry.ts";
import { missingTopic } from "./load-entries.ts";
import { listTopicNames, readEntries } from "./scan-topics.ts";
import { fromArchived, originOf } from "./topic-archive.ts";
import type { RawEntry } from "./topic-file.ts";
import { archiveOf, parseSubtopic, parseTopic, type TopicName, topicPath } from "./topic-paths.ts";

export interface EntryTimelineRequest {
  /** All of them where none is given. */
  readonly topic?: string | undefined;
  readonly subtopic?: string | undefined;
  /** Also what was pruned. */
  readonly archive?: boolean | undefined;
  readonly limit: number;
  /** `next` of the page before. */
  readonly after?: string | undefined;
}

/** An entry as it stands in its file. */
export interface TimelineEntry extends TopicName {
  readonly path: string;
  readonly date: string;
  readonly title: string;
  /** Markdown below its heading, without the separator at its end. */
  readonly text: string;
  readonly isArchived: boolean;
}

export interface EntryTimeline {
  readonly entries: readonly TimelineEntry[];
  readonly next: string | undefined;
}

/** Where an entry stands in the order: newest first by date, then by file, then as in the file. */
interface Place {
  readonly date: string;
  readonly path: string;
  readonly index: number;
}

interface Placed extends Place {
  readonly entry: TimelineEntry;
}

interface TimelineContext {
  readonly documents: Documents;
  readonly root: string;
}

/** Entries of several files by date, for who looks at them one after the other. */
export async function timelineOf(request: EntryTimelineRequest, context: TimelineContext): Promise<EntryTimeline> {
  const topic = request.topic === undefined ? undefined : parseTopic(request.topic);
  const subtopic = request.subtopic === undefined ? undefined : parseSubtopic(request.subtopic);
  const after = request.after === undefined ? undefined : parsePlace(request.after);
  const names = (await listTopicNames(context.documents, context.root, topic)).filter(
    (name) => subtopic === undefined || name.subtopic === subtopic,
  );
  const placed = [
    ...(await ownEntries(names, context)),
    ...(request.archive ? await archived(topic, subtopic, context) : []),
  ];
  if (topic !== undefined && names.length === 0 && placed.length === 0)
    throw await missingTopic(context, topic, subtopic);
  const sorted = placed.sort(compare).filter((one) => after === undefined || compare(one, after) > 0);
  const page = sorted.slice(0, request.limit);
  const last = page.at(-1);
  return {
    entries: page.map(({ entry }) => entry),
    next: last && sorted.length > page.length ? toToken(last) : undefined,
  };
}

async function ownEntries(names: readonly TopicName[], { documents, root }: TimelineContext): Promise<Placed[]> {
  const placed: Placed[] = [];
  for (const name of names) {
    const path = topicPath(name);
    const entries = (await readEntries(documents, root, path)) ?? [];
    placed.push(...entries.map((entry, index) => place(entry, { ...name, path, index, isArchived: false })));
  }
  return placed;
}

async function archived(
  topic: string | undefined,
  subtopic: string | undefined,
  { documents, root }: TimelineContext,
): Promise<Placed[]> {
  const placed: Placed[] = [];
  for (const one of topic === undefined ? await archivedTopics({ documents, root }) : [topic]) {
    const listing = await documents.browse({ root, folder: archiveOf(one) });
    for (const path of (listing?.files ?? []).filter((file) => file.endsWith(".md"))) {
      const entries = (await readEntries(documents, root, path)) ?? [];
      for (const [index, entry] of entries.entries()) {
        const from = originOf(entry) ?? "";
        if (subtopic !== undefined && subtopic !== from) continue;
        placed.push(place(fromArchived(entry), { topic: one, subtopic: from, path, index, isArchived: true }));
      }
    }
  }
  return placed;
}

async function archivedTopics({ documents, root }: TimelineContext): Promise<string[]> {
  const folder = "archive" as ExistingPath;
  const listing = await documents.browse({ root, folder });
  return (listing?.folders ?? []).flatMap((path) => {
    const name = path.slice(folder.length + 1);
    try {
      return [parseTopic(name)];
    } catch (error) {
      // A folder that no topic can be called.
      if (error instanceof RecollectError) return [];
      throw error;
    }
  });
}

function place(
  entry: RawEntry,
  at: TopicName & { readonly path: string; readonly index: number; readonly isArchived: boolean },
): Placed {
  const { index, ...rest } = at;
  const { date, title } = entry;
  return { date, path: at.path, index, entry: { ...rest, date, title, text: bodyOf(entry) } };
}

function compare(one: Place, other: Place): number {
  return comparePaths(other.date, one.date) || comparePaths(one.path, other.path) || one.index - other.index;
}

function toToken({ date, path, index }: Place): string {
  return Buffer.from(JSON.stringify([date, path, index])).toString("base64url");
}

function parsePlace(token: string): Place {
  try {
    const [date, path, index] = JSON.parse(Buffer.from(token, "base64url").toString("utf8")) as unknown[];
    if (typeof date === "string" && typeof path === "string" && Number.isSafeInteger(index)) {
      return { date, path, index: Number(index) };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
  }
  throw new RecollectError("INVALID_ARGUMENT", "This is not where a page of entries ended. Begin without it.");
}
