import type { DocumentPath } from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import { RecollectError } from "../../kernel/errors.ts";
import type { Rev } from "../../kernel/revision.ts";
import type { Address, Change, Committed, Current, Stamp } from "../../kernel/store.ts";
import { type BrokenFiles, findBroken, toWarnings } from "./broken-files.ts";
import { type IndexRow, parseIndex, renderIndex, withRow } from "./index-file.ts";
import { mayBeIndexed, scanForIndex } from "./scan-topics.ts";
import {
  archiveChanges,
  type archiveWith,
  entriesInFull,
  entriesTitled,
  isOutdated,
  openYears,
  type YearArchive,
  yearOf,
} from "./topic-archive.ts";
import { parseTopicFile, type RawEntry, renderTopicFile, type TopicFile } from "./topic-file.ts";
import { indexPath, type TopicName, topicPath } from "./topic-paths.ts";

export interface TopicContext {
  readonly documents: Documents;
  readonly root: string;
  readonly stamp: Stamp;
}

/** What becomes of a file of entries: what stays, and what goes into the archive. */
export interface NextTopic {
  readonly kept: TopicFile;
  readonly pruned: readonly RawEntry[];
  /** How the archive takes them; by default on top. */
  readonly joinArchive?: typeof archiveWith;
  /** Whether a file in which nothing is left goes as well. */
  readonly removeEmpty?: boolean;
}

/** Decides with the locks held; undefined where nothing is to be done. `archived` is what the archive holds. */
type DecideTopic = (file: TopicFile, archived: readonly RawEntry[]) => NextTopic | undefined;

/** What a decision needs of the archive: the entries of some years, as far as they can have this title. */
interface ArchiveLook {
  readonly years: readonly string[];
  /** Whether also all other years that there are. */
  readonly andOthers?: boolean;
  readonly title: string;
}

interface ChangedTopic {
  readonly path: DocumentPath;
  /** Undefined where there is no file, or the archive alone was changed. */
  readonly rev: Rev | undefined;
  /** How many entries went into the archive. */
  readonly archived: number;
  /** Which files beside it were left as they are, and what mends that. */
  readonly warnings: readonly string[];
}

const maxAttempts = 20;

/**
 * Changes one subtopic, its archive and the index as one operation. Documents are named before they are locked, but
 * which files of the archive it needs is known from the entries: where they turn out to be others than expected, it
 * begins again with them.
 */
export async function changeTopic(
  name: TopicName,
  decide: DecideTopic,
  context: TopicContext,
  look?: ArchiveLook,
): Promise<ChangedTopic | undefined> {
  const { documents, root, stamp } = context;
  const [at, index] = [
    documents.resolve({ root, path: topicPath(name) }),
    documents.resolve({ root, path: indexPath }),
  ];
  const years = new Set(look?.years ?? (await yearsToPrune(documents, at, decide)));
  const isListed = await mayBeIndexed(documents, root, [{ ...name, entries: 1, newest: "" }]);
  const broken: BrokenFiles = new Map();
  let scanned: readonly IndexRow[] | undefined;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const archives = await openYears(documents, root, name.topic, { years, andOthers: look?.andOthers, broken });
    const full = look ? await entriesInFull(documents, archives, look.title) : [];
    const usesIndex = !broken.has(indexPath);
    const beside = [...(usesIndex ? [index] : []), ...archives.flatMap(({ open }) => open)];
    let [archived, isIndexed, newIndex] = [0, true, ""];
    const putIndex = (next: NextTopic, rows: readonly IndexRow[], current: Current): Change[] => {
      if (!isListed || !usesIndex) return [];
      newIndex = nextIndex(name, next.kept, textOf(index, current), rows);
      return putChange(index, newIndex, current);
    };
    const plan = (current: Current): Change[] | "nothing" | "again" => {
      if (isOutdated(archives, current)) return "again";
      const next = decide(parseTopicFile(textOf(at, current)), [...full, ...entriesInOpen(archives, look, current)]);
      if (!next) return "nothing";
      const more = yearsBeside(archives, next.pruned);
      for (const year of more) years.add(year);
      const rows = usesIndex ? (parseIndex(textOf(index, current)) ?? scanned) : [];
      isIndexed = rows !== undefined;
      if (more.length > 0 || !rows) return "again";
      archived = next.pruned.length;
      return [
        ...archiveChanges(next.pruned, name.subtopic, archives, current, next.joinArchive),
        ...topicChange(at, next, current),
        ...putIndex(next, rows, current),
      ];
    };
    const result = await documents.commit([at, ...beside], plan, stamp).catch(async (error: unknown) => {
      if (await findBroken(documents, beside, { error, newIndex }, broken)) return "without" as const;
      throw error;
    });
    if (result === "nothing") return undefined;
    if (typeof result === "object") {
      const rev = revOf(result, at);
      return { path: topicPath(name), rev, archived, warnings: toWarnings(broken) };
    }
    // Only where the index has no rows of its own is every file looked at.
    if (!isIndexed) scanned = (await scanForIndex(documents, root)).rows;
  }
  throw new RecollectError("BUSY", "Others change this topic all the time. Try again.", { data: { ...name } });
}

/** A first look without locks. Whoever stores does without: what is pruned then is mostly of this year. */
async function yearsToPrune(documents: Documents, at: Address, decide: DecideTopic): Promise<string[]> {
  const content = (await documents.read(at))?.content ?? "";
  return decide(parseTopicFile(content), [])?.pruned.map(yearOf) ?? [];
}

/** The years of entries whose archive is not among these. */
function yearsBeside(archives: readonly YearArchive[], entries: readonly RawEntry[]): string[] {
  return entries.map(yearOf).filter((year) => !archives.some((one) => one.year === year));
}

function entriesInOpen(archives: readonly YearArchive[], look: ArchiveLook | undefined, current: Current): RawEntry[] {
  if (!look) return [];
  return archives.flatMap(({ open }) => open.flatMap((at) => entriesTitled(look.title, textOf(at, current))));
}

function textOf(at: Address, current: Current): string {
  return current(at)?.content ?? "";
}

function nextIndex(name: TopicName, { entries }: TopicFile, text: string, rows: readonly IndexRow[]): string {
  return renderIndex(text, withRow(rows, { ...name, entries: entries.length, newest: entries[0]?.date ?? "" }));
}

function topicChange(at: Address<DocumentPath>, { kept, removeEmpty }: NextTopic, current: Current): Change[] {
  const content = renderTopicFile(kept);
  if (removeEmpty && content === "" && current(at)) return [{ kind: "remove", at }];
  return putChange(at, content, current);
}

/** What has nothing to hold is not made. */
function putChange(at: Address<DocumentPath>, content: string, current: Current): Change[] {
  return textOf(at, current) === content ? [] : [{ kind: "put", at, content }];
}

/** Where roots overlap, the outcome is that of the root that owns the place. */
function revOf({ outcomes }: Committed, { root, path }: Address): Rev | undefined {
  return outcomes.find(({ at }) => at.root === root && at.path === path)?.rev;
}
