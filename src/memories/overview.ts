import type { ExistingPath } from "../core/document-path.ts";
import type { Documents } from "../core/documents.ts";
import type { Address } from "../core/store.ts";
import type { MemoryLocator } from "./locate-memory.ts";
import { isUnreadable } from "./memory-errors.ts";
import type { MemoryFolder } from "./memory-folder.ts";
import { globalPrefix } from "./memory-name.ts";
import { type ListedName, listNames } from "./survey-memories.ts";

export interface MemoryOverview {
  readonly count: number;
  readonly globalCount: number;
  readonly folders: readonly { readonly folder: string; readonly readOnly: boolean }[];
  /** First segments of names with a slash, the largest first. */
  readonly topics: readonly { readonly topic: string; readonly count: number }[];
  /** Most recently written through Recollect, and where there are few notes, by others too. */
  readonly newest: readonly string[];
}

const newestShown = 5;
/** Where there are more notes than this, a start must not wait for a look at each of them. */
const mostLookedAt = 100;

interface Dated {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** What there is, from the names in the folders and the ends of their journals: of many memories none is opened. */
export async function overviewOf(
  documents: Documents,
  locator: MemoryLocator,
  folders: readonly MemoryFolder[],
): Promise<MemoryOverview> {
  const listed = await listNames(documents, locator);
  const names = listed.map(({ name }) => name);
  const own = names.filter((name) => !name.startsWith(globalPrefix));
  return {
    count: own.length,
    globalCount: names.length - own.length,
    folders: folders.map(({ root, readOnly }) => ({ folder: root, readOnly })),
    topics: topicsOf(own),
    newest: await newestOf(documents, locator, listed),
  };
}

function topicsOf(names: readonly string[]): { topic: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const name of names) {
    const [topic, ...rest] = name.split("/");
    if (topic !== undefined && rest.length > 0) counts.set(topic, (counts.get(topic) ?? 0) + 1);
  }
  return [...counts].map(([topic, count]) => ({ topic, count })).sort((a, b) => b.count - a.count);
}

async function newestOf(
  documents: Documents,
  locator: MemoryLocator,
  listed: readonly ListedName[],
): Promise<string[]> {
  const recent = await recentlyWritten(documents, locator, listed);
  const names = new Set(recent.map(({ name }) => name));
  const isEnough = names.size >= newestShown || listed.length > mostLookedAt;
  // Whoever comes from another tool has notes that no journal of ours knows.
  const others = isEnough
    ? []
    : await lastModified(
        documents,
        listed.filter(({ name }) => !names.has(name)),
      );
  const sorted = [...recent, ...others].sort((a, b) => b.time - a.time);
  return [...new Set(sorted.map(({ name }) => name))].slice(0, newestShown);
}

async function recentlyWritten(
  documents: Documents,
  locator: MemoryLocator,
  listed: readonly ListedName[],
): Promise<Dated[]> {
  const recent: Dated[] = [];
  for (const [root, folders] of foldersOf(listed)) {
    for (const { path, time } of await documents.recent({ root, limit: newestShown, folders: [...folders] })) {
      const known = locator.identify({ root, path });
      if (known) recent.push({ name: known.name, time: Date.parse(time) });
    }
  }
  return recent;
}

async function lastModified(documents: Documents, listed: readonly ListedName[]): Promise<Dated[]> {
  const dated: Dated[] = [];
  for (const { name, places } of listed) {
    const [first] = places;
    const time = first && (await modifiedAt(documents, first.at));
    if (time !== undefined) dated.push({ name, time });
  }
  return dated;
}

async function modifiedAt(documents: Documents, at: Address): Promise<number | undefined> {
  try {
    return (await documents.read(at))?.modified;
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

/** The folders that hold memories, by root: they are known from the names, and need no other walk. */
function foldersOf(listed: readonly ListedName[]): ReadonlyMap<string, ReadonlySet<ExistingPath | "">> {
  const folders = new Map<string, Set<ExistingPath | "">>();
  for (const { at } of listed.flatMap(({ places }) => places)) {
    const end = at.path.lastIndexOf("/");
    const known = folders.get(at.root) ?? new Set();
    folders.set(at.root, known.add(end === -1 ? "" : (at.path.slice(0, end) as ExistingPath)));
  }
  return folders;
}
