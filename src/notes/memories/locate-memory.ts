import type { Documents } from "../../kernel/documents.ts";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import type { Address, StoredDocument } from "../../kernel/store.ts";
import type { MemoryFolder } from "./memory-folder.ts";
import { type MemoryName, nameOfPath, parseKnownName, parseNewName } from "./memory-name.ts";
import { suggestNames } from "./suggest-names.ts";

/** A memory that exists: its one listed name, the folder that owns it, and what is in it. */
export interface FoundMemory {
  readonly name: string;
  readonly folder: MemoryFolder;
  readonly at: Address;
  /** Undefined where it is no text: it can still be replaced, moved and deleted. */
  readonly document: StoredDocument | undefined;
}

interface PlacedName {
  readonly folder: MemoryFolder;
  readonly name: MemoryName;
}

/** Where memories lie: primary first, then the additional folders in their order; the user's own apart. */
export interface MemoryLocator {
  /** The folders that hold a name of this kind, in the order in which they are searched. */
  foldersFor(name: { readonly isGlobal: boolean }): readonly MemoryFolder[];
  /** The name that is meant where the folder stands before it, as search shows it where there are several. */
  placedIn(given: string): PlacedName | undefined;
  find(given: string): Promise<FoundMemory | undefined>;
  /** Throws NOT_FOUND with what was perhaps meant. */
  require(given: string): Promise<FoundMemory>;
  /** All places of a name, the one that counts first. */
  findAll(name: MemoryName): Promise<FoundMemory[]>;
  /** The folder and the one name of a document, whichever spelling led to it (MEM-8). */
  identify(at: Address): { at: Address; name: string; folder: MemoryFolder } | undefined;
}

export function createMemoryLocator(options: {
  documents: Documents;
  folders: readonly MemoryFolder[];
  allNames: () => Promise<readonly string[]>;
}): MemoryLocator {
  const { documents, folders, allNames } = options;
  const byRoot = new Map(folders.map((folder) => [folder.root, folder]));

  function foldersFor({ isGlobal }: { readonly isGlobal: boolean }): readonly MemoryFolder[] {
    return folders.filter(({ kind }) => (kind === "global") === isGlobal);
  }

  function identify(at: Address): ReturnType<MemoryLocator["identify"]> {
    const owner = documents.resolve(at);
    const folder = byRoot.get(owner.root);
    const name = folder && nameOfPath(owner.path, folder.kind === "global");
    return name === undefined || !folder ? undefined : { at: owner, name, folder };
  }

  async function findIn(folder: MemoryFolder, { path }: MemoryName): Promise<FoundMemory | undefined> {
    try {
      const identity = identify({ root: folder.root, path });
      if (!identity) return undefined;
      const document = await readOrNoText(identity.at);
      return document && { ...identity, document: document === "no text" ? undefined : document };
    } catch (error) {
      if (isRecollectError(error) && isNothing(error, folder)) return undefined;
      throw error;
    }
  }

  async function readOrNoText(at: Address): Promise<StoredDocument | "no text" | undefined> {
    try {
      return await documents.read(at);
    } catch (error) {
      if (isRecollectError(error) && error.code === "NOT_UTF8") return "no text";
      throw error;
    }
  }

  async function findAll(name: MemoryName): Promise<FoundMemory[]> {
    const found = new Map<string, FoundMemory>();
    for (const folder of foldersFor(name)) {
      const memory = await findIn(folder, name);
      if (memory) found.set(`${memory.at.root}\0${memory.at.path}`, memory);
    }
    return [...found.values()];
  }

  async function find(given: string): Promise<FoundMemory | undefined> {
    const placed = placedIn(given);
    try {
      const name = parseKnownName(given);
      for (const folder of foldersFor(name)) {
        const memory = await findIn(folder, name);
        if (memory) return memory;
      }
    } catch (error) {
      // What names a place need not be a name.
      if (!placed || !isRecollectError(error) || error.code !== "INVALID_PATH") throw error;
    }
    return placed && findIn(placed.folder, placed.name);
  }

  function placedIn(given: string): PlacedName | undefined {
    // Callers in plain JavaScript may pass anything; what is no name is refused as such.
    const plain = String(given).replace(/^mem:/, "");
    const folder = folders.find(({ root, kind }) => kind !== "global" && plain.startsWith(`${root}/`));
    return folder && { folder, name: parseKnownName(plain.slice(folder.root.length + 1)) };
  }

  async function require(given: string): Promise<FoundMemory> {
    const found = await find(given);
    if (found) return found;
    // What could not be named so cannot be missing either: say what is wrong with the name.
    const { text } = placedIn(given)?.name ?? parseNewName(given);
    const near = suggestNames(text, await allNames());
    const meant = near.length > 0 ? ` Did you mean ${near.map((one) => `“${one}”`).join(" or ")}?` : "";
    throw new RecollectError("NOT_FOUND", `There is no note “${text}”.${meant}`, { data: { name: text, near } });
  }

  return { foldersFor, placedIn, find, require, findAll, identify };
}

/** A folder called `x.md` is no memory, and one that became a link or a file holds none: the others still count. */
function isNothing({ code, data }: RecollectError, { root }: MemoryFolder): boolean {
  if (data["folder"] === root) return code === "NOT_A_DOCUMENT" || code === "PERMISSION_DENIED";
  return code === "NOT_A_DOCUMENT" && data["reason"] === "folder";
}

/** What is in it; throws where it is no text. */
export function documentOf({ name, document }: FoundMemory): StoredDocument {
  if (document) return document;
  throw new RecollectError("NOT_UTF8", `The memory “${name}” is not UTF-8 text. Convert it, or write it anew.`, {
    data: { name },
  });
}
