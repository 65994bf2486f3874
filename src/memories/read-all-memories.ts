import type { Documents } from "../core/documents.ts";
import { isRecollectError } from "../core/errors.ts";
import type { Address } from "../core/store.ts";
import { listNames } from "./list-memories.ts";
import type { MemoryLocator } from "./locate-memory.ts";
import type { MemoryFolder } from "./memory-folder.ts";

/** One file of a memory: also those that another folder's memory of the same name hides. */
export interface MemoryText {
  readonly name: string;
  readonly folder: MemoryFolder;
  readonly at: Address;
  readonly content: string;
}

/** Whatever can be read. A file that is no text, or went away, keeps nobody from working on the others. */
export async function readAllMemories(documents: Documents, locator: MemoryLocator): Promise<MemoryText[]> {
  const texts: MemoryText[] = [];
  for (const { name, places } of await listNames(documents, locator)) {
    for (const { at, folder } of places) {
      const content = await contentOf(documents, at);
      if (content !== undefined) texts.push({ name, folder, at, content });
    }
  }
  return texts;
}

async function contentOf(documents: Documents, at: Address): Promise<string | undefined> {
  try {
    return (await documents.read(at))?.content;
  } catch (error) {
    if (isRecollectError(error)) return undefined;
    throw error;
  }
}
