import { comparePaths, type ExistingPath } from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import { isRecollectError } from "../../kernel/errors.ts";
import type { Address, ListEntry } from "../../kernel/store.ts";
import type { MemoryLocator } from "./locate-memory.ts";
import type { MemoryFolder } from "./memory-folder.ts";
import { globalPrefix, nameOfPath, parseTopic } from "./memory-name.ts";

/** A name and all its places, the one that counts first. */
export interface ListedName {
  readonly name: string;
  readonly places: readonly MemoryPlace[];
}

interface MemoryPlace {
  readonly name: string;
  readonly at: Address;
  readonly folder: MemoryFolder;
  readonly remark?: string;
}

/** What is in the folders, from the names in them alone. */
export interface MemorySurvey {
  /** Every name once, sorted, the user's own last. */
  readonly names: readonly ListedName[];
  /** Links that are no notes by their name, such as a linked topic. Nobody follows them; they are told, not hidden. */
  readonly links: readonly ListedName[];
  /** The longer names of what lies in a folder inside another (MEM-8). */
  readonly spellings: readonly { readonly name: string; readonly at: Address }[];
}

interface FolderSurvey {
  readonly places: readonly MemoryPlace[];
  readonly links: readonly MemoryPlace[];
  readonly spellings: readonly { readonly name: string; readonly at: Address }[];
}

export async function surveyMemories(
  documents: Documents,
  locator: MemoryLocator,
  topic?: string,
): Promise<MemorySurvey> {
  const asked = topic ? parseTopic(topic) : undefined;
  const folders = (asked ? [asked.isGlobal] : [false, true]).flatMap((isGlobal) => locator.foldersFor({ isGlobal }));
  const surveys: FolderSurvey[] = [];
  for (const folder of folders) surveys.push(await surveyFolder(folder, asked?.folder, documents, locator));
  const names = byName(
    surveys.flatMap(({ places }) => places),
    folders,
  );
  const links = apartFrom(
    names,
    surveys.flatMap((survey) => survey.links),
  );
  return { names, links: byName(links, folders), spellings: surveys.flatMap(({ spellings }) => spellings) };
}

/** A note of the same name as a link, here or in another folder, keeps it. */
function apartFrom(names: readonly ListedName[], links: readonly MemoryPlace[]): readonly MemoryPlace[] {
  if (links.length === 0) return links;
  const taken = new Set(names.map(({ name }) => name));
  return links.map((link) => (taken.has(link.name) ? { ...link, name: `${link.name}/` } : link));
}

/** Every name once, sorted, the user's own last. */
export async function listNames(documents: Documents, locator: MemoryLocator): Promise<readonly ListedName[]> {
  return (await surveyMemories(documents, locator)).names;
}

export function compareNames(left: string, right: string): number {
  const isGlobal = left.startsWith(globalPrefix);
  if (isGlobal === right.startsWith(globalPrefix)) return comparePaths(left, right);
  return isGlobal ? 1 : -1;
}

function byName(places: readonly MemoryPlace[], folders: readonly MemoryFolder[]): ListedName[] {
  const names = new Map<string, MemoryPlace[]>();
  for (const place of places) {
    const known = names.get(place.name);
    if (!known) names.set(place.name, [place]);
    // Below a topic, a folder inside another is met twice.
    else if (!known.some(({ folder }) => folder === place.folder)) known.push(place);
  }
  // An inner folder may have been met before one that is searched first.
  const order = folders.map(({ root }) => root);
  const rankOf = ({ folder }: MemoryPlace) => order.indexOf(folder.root);
  const listed: ListedName[] = [];
  names.forEach((known, name) => {
    if (known.length > 1) known.sort((a, b) => rankOf(a) - rankOf(b));
    listed.push({ name, places: known });
  });
  return listed.sort((a, b) => compareNames(a.name, b.name));
}

async function surveyFolder(
  { root, kind }: MemoryFolder,
  topic: ExistingPath | undefined,
  documents: Documents,
  locator: MemoryLocator,
): Promise<FolderSurvey> {
  const survey = { places: [] as MemoryPlace[], links: [] as MemoryPlace[], spellings: [] as MemoryPlace[] };
  for (const { path, remark } of await everything(documents, root, topic)) {
    const note = locator.identify({ root, path });
    const known = note ?? (remark === "link" ? linkAt({ root, path }, locator) : undefined);
    if (!known) continue;
    // What an inner folder owns is met there; only by its longer topic it is asked for here.
    if (topic === undefined && known.folder.root !== root) {
      const longer = nameOfPath(path, kind === "global");
      if (longer !== undefined) survey.spellings.push({ ...known, name: longer });
      continue;
    }
    (note ? survey.places : survey.links).push(remark === undefined ? known : { ...known, remark });
  }
  return survey;
}

/** Named like the note that would stand in its place. */
function linkAt({ root, path }: Address, locator: MemoryLocator): MemoryPlace | undefined {
  const known = locator.identify({ root, path: `${path}.md` as ExistingPath });
  return (
    known && { ...known, at: { root: known.at.root, path: known.at.path.slice(0, -".md".length) as ExistingPath } }
  );
}

/** A topic that is a file or a link in one folder, or may not be read, holds nothing, and hides nothing elsewhere. */
async function everything(documents: Documents, root: string, folder: ExistingPath | undefined) {
  const entries: ListEntry[] = [];
  try {
    for (let after: string | undefined; ; ) {
      const page = await documents.list({
        root,
        ...(folder === undefined ? {} : { folder }),
        ...(after === undefined ? {} : { after }),
      });
      // One by one: a page may have more entries than a call takes arguments.
      for (const entry of page.entries) entries.push(entry);
      if (page.next === undefined) return entries;
      after = page.next;
    }
  } catch (error) {
    if (isRecollectError(error) && ["NOT_A_DOCUMENT", "PERMISSION_DENIED"].includes(error.code)) return entries;
    throw error;
  }
}
