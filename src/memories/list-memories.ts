import { comparePaths, type ExistingPath } from "../core/document-path.ts";
import type { Documents } from "../core/documents.ts";
import { isRecollectError, RecollectError } from "../core/errors.ts";
import type { Rev } from "../core/revision.ts";
import type { Address, ListEntry } from "../core/store.ts";
import type { MemoryLocator } from "./locate-memory.ts";
import type { MemoryFolder } from "./memory-folder.ts";
import { globalPrefix, parseTopic } from "./memory-name.ts";
import { summarize } from "./summary.ts";

export interface MemoryEntry {
  readonly name: string;
  readonly folder: string;
  readonly readOnly: boolean;
  /** Other folders that hold the name as well; what they hold is not shown. */
  readonly shadowed: readonly string[];
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly rev: Rev | undefined;
  readonly summary: string;
  /** Why it cannot be read, or is not named as new ones are. */
  readonly remark?: string;
}

export interface MemoryPage {
  readonly memories: readonly MemoryEntry[];
  readonly total: number;
  /** How many are not on this page, before or after it. */
  readonly leftOut: number;
  /** For the next page; undefined at the end. */
  readonly next: string | undefined;
}

export interface ListMemoriesRequest {
  readonly topic?: string;
  readonly limit?: number;
  /** `next` of the page before. */
  readonly after?: string;
}

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

const defaultLimit = 100;
const maxLimit = 1000;

/** Every name once, sorted, the user's own last; from the names in the folders alone. */
export async function listNames(
  documents: Documents,
  locator: MemoryLocator,
  topic?: string,
): Promise<readonly ListedName[]> {
  const asked = topic ? parseTopic(topic) : undefined;
  const folders = (asked ? [asked.isGlobal] : [false, true]).flatMap((isGlobal) => locator.foldersFor({ isGlobal }));
  const names = new Map<string, MemoryPlace[]>();
  for (const { root } of folders) {
    for (const place of await placesIn(root, asked?.folder, documents, locator)) {
      const known = names.get(place.name);
      if (!known) names.set(place.name, [place]);
      // Below a topic, a folder inside another is met twice.
      else if (!known.some(({ folder }) => folder === place.folder)) known.push(place);
    }
  }
  // An inner folder may have been met before one that is searched first.
  const order = folders.map(({ root }) => root);
  const rankOf = ({ folder }: MemoryPlace) => order.indexOf(folder.root);
  for (const places of names.values()) if (places.length > 1) places.sort((a, b) => rankOf(a) - rankOf(b));
  return Array.from(names, ([name, places]) => ({ name, places })).sort((a, b) => compareNames(a.name, b.name));
}

export async function listPage(
  documents: Documents,
  locator: MemoryLocator,
  request: ListMemoriesRequest,
): Promise<MemoryPage> {
  const limit = request.limit ?? defaultLimit;
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    throw new RecollectError("INVALID_ARGUMENT", `The limit is a whole number from 1 to ${maxLimit}.`);
  }
  const all = await listNames(documents, locator, request.topic);
  const { after } = request;
  const begin = after === undefined ? 0 : all.filter(({ name }) => compareNames(name, after) <= 0).length;
  const page = all.slice(begin, begin + limit);
  const memories: MemoryEntry[] = [];
  for (const listed of page) memories.push(await describe(documents, listed));
  return {
    memories,
    total: all.length,
    leftOut: all.length - memories.length,
    next: begin + limit < all.length ? page.at(-1)?.name : undefined,
  };
}

async function placesIn(
  root: string,
  topic: ExistingPath | undefined,
  documents: Documents,
  locator: MemoryLocator,
): Promise<MemoryPlace[]> {
  const places: MemoryPlace[] = [];
  for (const { path, remark } of await everything(documents, root, topic)) {
    const known = locator.identify({ root, path });
    // What an inner folder owns is met there; only by its longer topic it is asked for here.
    if (!known || (topic === undefined && known.folder.root !== root)) continue;
    places.push(remark === undefined ? known : { ...known, remark });
  }
  return places;
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

async function describe(documents: Documents, { name, places }: ListedName): Promise<MemoryEntry> {
  const [first, ...others] = places;
  if (!first) throw new Error("a listed name has a place");
  const plain = {
    name,
    folder: first.folder.root,
    readOnly: first.folder.readOnly || documents.isProtected(first.at),
    shadowed: others.map(({ folder }) => folder.root),
    ...(first.remark === undefined ? {} : { remark: first.remark }),
  };
  const unread = { ...plain, size: 0, modified: 0, rev: undefined, summary: "" };
  try {
    const document = await documents.read(first.at);
    if (!document) return { ...unread, remark: "gone" };
    const { content, modified, rev } = document;
    return { ...plain, size: Buffer.byteLength(content), modified, rev, summary: summarize(content) };
  } catch (error) {
    // One that cannot be read keeps nobody from seeing the others.
    if (!isRecollectError(error)) throw error;
    return { ...unread, remark: String(error.data["reason"] ?? error.code.toLowerCase().replaceAll("_", "-")) };
  }
}

function compareNames(left: string, right: string): number {
  const [a, b] = [left.startsWith(globalPrefix), right.startsWith(globalPrefix)];
  return a === b ? comparePaths(left, right) : Number(a) - Number(b);
}
