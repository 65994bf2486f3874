import type { Expectation } from "../../kernel/conflict.ts";
import { RecollectError } from "../../kernel/errors.ts";
import type { Rev } from "../../kernel/revision.ts";
import { type ChangedTopicFile, changeTopicFile, type NextFileText } from "./change-file.ts";
import { changeTopic, type NextTopic, type TopicContext } from "./change-topic.ts";
import { checkTopics, type TopicProblem } from "./check-topics.ts";
import { assertDate, assertTold, type Entry, renderEntry } from "./entry.ts";
import type { IndexRow } from "./index-file.ts";
import { type LoadedEntries, type LoadRequest, loadEntries, missingTopic, namesToShow } from "./load-entries.ts";
import { type ReadTopicFile, readTopicFile, type TopicFileRange } from "./read-topic-file.ts";
import { type Reindexed, reindex } from "./reindex.ts";
import { listTopicNames, readEntries, scanTopics } from "./scan-topics.ts";
import { type EntryTimeline, type EntryTimelineRequest, timelineOf } from "./timeline.ts";
import { originOf, sameAs, yearOf } from "./topic-archive.ts";
import { parseTopicFile, pruneEntries, putOnTop, type RawEntry, type TopicFile, withLineEndsOf } from "./topic-file.ts";
import { meantTopic, parseSubtopic, parseTopic, parseTopicName, type TopicName, topicPath } from "./topic-paths.ts";

export type { LoadedEntries, LoadedEntry, LoadRequest } from "./load-entries.ts";
export type { ReadTopicFile, TopicFileRange } from "./read-topic-file.ts";

export interface TopicsOptions extends TopicContext {
  /** The date of today where the user is, as YYYY-MM-DD. */
  readonly today: () => string;
  /** The branch that is checked out, where there is one. */
  readonly branch?: () => string | undefined;
  /** Told what was read, for statistics that lie outside of the Markdown (TOP-6). */
  readonly accessed?: (paths: readonly string[]) => void;
}

/** An entry to store. */
export interface NewEntry extends Omit<Entry, "date" | "context"> {
  /** Also with the subtopic, as `ci/cache`. */
  readonly topic: string;
  readonly subtopic?: string | undefined;
  /** By default the branch that is checked out. */
  readonly context?: string | undefined;
  /** By default today; where it is left out, the same entry of another day counts as the same. */
  readonly date?: string | undefined;
}

/** What became of an entry that was stored. */
export interface StoredEntry extends TopicName {
  readonly date: string;
  readonly title: string;
  readonly path: string;
  /** Undefined where it had been stored before, and nothing was changed. */
  readonly rev: Rev | undefined;
  readonly alreadyStored: boolean;
  /** How many older entries went into the archive. */
  readonly archived: number;
  /** Which files beside it were left as they are, and what mends that. */
  readonly warnings: readonly string[];
}

export interface PrunedTopic extends TopicName {
  readonly archived: number;
  readonly warnings: readonly string[];
}

/** Which entries are old: those before a date, or all but the newest so many. */
export interface OlderEntries {
  readonly before?: string | undefined;
  readonly keep?: number | undefined;
}

/** Dated entries, newest first, pruned into archives and indexed (TOP-1 to TOP-6). */
export interface Topics {
  store(entry: NewEntry): Promise<StoredEntry>;
  load(request: LoadRequest): Promise<LoadedEntries>;
  /** Entries of one or all topics by date, page by page, as they stand in their files; not counted as loaded. */
  timeline(request: EntryTimelineRequest): Promise<EntryTimeline>;
  /** One file that search may show, as it stands, also of the archive, by its path; undefined where there is none. */
  read(path: string, range?: TopicFileRange): Promise<ReadTopicFile | undefined>;
  /** Changes that file, and the index with it; one in which nothing is left is removed. */
  change(path: string, to: NextFileText, expected?: Expectation): Promise<ChangedTopicFile>;
  /** The names of all subtopics, from the names of files: none is opened, and no guard has looked at them. */
  names(): Promise<readonly TopicName[]>;
  /** Those of them that may be shown: people may have given a topic a secret for its name. */
  shownNames(): Promise<readonly TopicName[]>;
  /** What there is, from the files themselves. */
  list(): Promise<readonly IndexRow[]>;
  /** Prunes what people let grow; without a name, everywhere. */
  prune(name?: { readonly topic: string; readonly subtopic?: string | undefined }): Promise<PrunedTopic[]>;
  /** Moves old entries into the archive. */
  archive(name: TopicName, older: OlderEntries): Promise<PrunedTopic>;
  /** Rebuilds the index from the files. */
  reindex(): Promise<Reindexed>;
  /** What is wrong with single files, though everything else goes on. */
  check(): Promise<readonly TopicProblem[]>;
}

export function createTopics(options: TopicsOptions): Topics {
  const { documents, root, stamp, today, branch = () => undefined, accessed = () => {} } = options;
  const context = { documents, root, stamp };

  async function store({ date, ...asked }: NewEntry): Promise<StoredEntry> {
    const meant = meantTopic(asked.topic, asked.subtopic, root);
    const name = parseTopicName(
      meant.topic,
      meant.subtopic === undefined ? missingSubtopic(meant.topic) : meant.subtopic,
    );
    const { topic: _, subtopic: __, context: told = "", ...said } = asked;
    assertTold({ ...said, context: told });
    const entry = { ...said, context: asked.context ?? contextOf(branch()), date: date ?? today() };
    const [fresh] = parseTopicFile(renderEntry(entry)).entries;
    if (!fresh) throw new Error("a rendered entry is an entry");
    // Where the date was left to the clock, an entry of any year is the same today. That of last year may be going
    // into an archive that is just being made.
    const years = date === undefined ? [yearOf(entry), previousYear(entry)] : [yearOf(entry)];
    const isSame = sameAs(fresh, date !== undefined);
    let before: RawEntry | undefined;
    const changed = await changeTopic(
      name,
      (file, archived) => {
        before = file.entries.find(isSame) ?? archived.find((one) => originOf(one) === name.subtopic && isSame(one));
        return before ? undefined : pruneEntries(withEntry(file, fresh));
      },
      context,
      { years, andOthers: date === undefined, title: fresh.title },
    );
    return {
      ...name,
      date: before?.date ?? entry.date,
      title: fresh.title,
      path: topicPath(name),
      rev: changed?.rev,
      alreadyStored: changed === undefined,
      archived: changed?.archived ?? 0,
      warnings: changed?.warnings ?? [],
    };
  }

  async function prune(asked?: { readonly topic: string; readonly subtopic?: string | undefined }) {
    const topic = asked && parseTopic(asked.topic);
    const subtopic = asked?.subtopic === undefined ? undefined : parseSubtopic(asked.subtopic);
    const names = (await listTopicNames(documents, root, topic)).filter(
      (name) => subtopic === undefined || name.subtopic === subtopic,
    );
    if (topic !== undefined && names.length === 0) throw await missingTopic(context, topic, subtopic);
    const pruned: PrunedTopic[] = [];
    for (const name of names) {
      // One broken file must not keep the others from being pruned.
      const canRead = subtopic !== undefined || (await readEntries(documents, root, topicPath(name))) !== undefined;
      if (canRead) pruned.push(await split(name, pruneEntries));
    }
    return pruned.filter(({ archived }) => archived > 0);
  }

  async function archive(given: TopicName, older: OlderEntries): Promise<PrunedTopic> {
    const name = parseTopicName(given.topic, given.subtopic);
    assertOlder(older);
    if (!(await documents.read({ root, path: topicPath(name) }))) {
      throw await missingTopic(context, name.topic, name.subtopic);
    }
    return split(name, (file) => splitOlder(file, older));
  }

  async function split(name: TopicName, divide: (file: TopicFile) => NextTopic): Promise<PrunedTopic> {
    const decide = (file: TopicFile) => {
      const next = divide(file);
      return next.pruned.length > 0 ? next : undefined;
    };
    const changed = await changeTopic(name, decide, context);
    return { ...name, archived: changed?.archived ?? 0, warnings: changed?.warnings ?? [] };
  }

  return {
    store,
    load: (request) => loadEntries(request, { documents, root, accessed }),
    timeline: (request) => timelineOf(request, { documents, root }),
    read: (path, range = {}) => readTopicFile(path, range, { documents, root }),
    change: (path, to, expected = {}) => changeTopicFile(path, to, expected, context),
    names: () => listTopicNames(documents, root),
    shownNames: () => namesToShow(documents, root),
    list: () => scanTopics(documents, root),
    prune,
    archive,
    reindex: () => reindex(context),
    check: () => checkTopics(context),
  };
}

function contextOf(branch: string | undefined): string {
  return branch === undefined ? "" : `Branch ${branch}`;
}

function missingSubtopic(topic: string): never {
  const says = `A lesson needs a topic and a subject in it. Give the topic as “${topic}/SUBJECT”, such as ci/cache.`;
  throw new RecollectError("INVALID_PATH", says, { data: { topic } });
}

/** At the top, with the line ends of the file (TOP-1b). */
function withEntry(file: TopicFile, fresh: RawEntry): TopicFile {
  return putOnTop(file, [withLineEndsOf(file, fresh)]);
}

function assertOlder({ before, keep }: OlderEntries): void {
  if (before !== undefined) assertDate(before);
  if (keep === undefined || (Number.isInteger(keep) && keep >= 0)) return;
  throw new RecollectError("INVALID_ARGUMENT", "How many entries to keep is a whole number from 0.");
}

function splitOlder(file: TopicFile, { before, keep }: OlderEntries): NextTopic {
  const stays = (entry: RawEntry, index: number) =>
    (keep === undefined || index < keep) && (before === undefined || entry.date >= before);
  return {
    kept: { ...file, entries: file.entries.filter(stays) },
    pruned: file.entries.filter((entry, index) => !stays(entry, index)),
  };
}

function previousYear(entry: { readonly date: string }): string {
  return String(Number(yearOf(entry)) - 1).padStart(4, "0");
}
