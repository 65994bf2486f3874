import type { ExistingPath } from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import type { MemoryLocator } from "./locate-memory.ts";
import type { MemoryFolder } from "./memory-folder.ts";
import { globalPrefix } from "./memory-name.ts";
import { type ListedName, listNames } from "./survey-memories.ts";

export interface MemoryOverview {
  readonly count: number;
  readonly globalCount: number;
  readonly folders: readonly {
    readonly folder: string;
    readonly kind: MemoryFolder["kind"];
    readonly readOnly: boolean;
  }[];
  /** First segments of names with a slash, the largest first. */
  readonly topics: readonly { readonly topic: string; readonly count: number }[];
  /** Most recently written through Recollect: what others wrote is known from its times alone, one look a note. */
  readonly newest: readonly string[];
}

const newestShown = 5;

interface Dated {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** What there is, from the names in the folders and the ends of their journals: no memory is opened. */
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
    folders: folders.map(({ root, kind, readOnly }) => ({ folder: root, kind, readOnly })),
    topics: topicsOf(own),
    newest: await newestOf(documents, locator, listed),
  };
}

function topicsOf(names: readonly string[]): { topic: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const name of names) {
    const end = name.indexOf("/");
    if (end === -1) continue;
    const topic = name.slice(0, end);
    counts.set(topic, (counts.get(topic) ?? 0) + 1);
  }
  return [...counts].map(([topic, count]) => ({ topic, count })).sort((a, b) => b.count - a.count);
}

async function newestOf(
  documents: Documents,
  locator: MemoryLocator,
  listed: readonly ListedName[],
): Promise<string[]> {
  const recent = await recentlyWritten(documents, locator, listed);
  recent.sort((a, b) => b.time - a.time);
  return [...new Set(recent.map(({ name }) => name))].slice(0, newestShown);
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

/** The folders that hold memories, by root: they are known from the names, and need no other walk. */
function foldersOf(listed: readonly ListedName[]): ReadonlyMap<string, ReadonlySet<ExistingPath | "">> {
  const folders = new Map<string, Set<ExistingPath | "">>();
  for (const { places } of listed) {
    for (const { at } of places) {
      const end = at.path.lastIndexOf("/");
      const known = folders.get(at.root) ?? new Set();
      folders.set(at.root, known.add(end === -1 ? "" : (at.path.slice(0, end) as ExistingPath)));
    }
  }
  return folders;
}
