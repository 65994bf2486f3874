import type { Documents } from "../core/documents.ts";
import { listNames } from "./list-memories.ts";
import type { MemoryLocator } from "./locate-memory.ts";
import { readAllMemories } from "./read-all-memories.ts";
import { referencesIn } from "./references.ts";

export interface CheckReport {
  /** A memory that refers to a name that no memory has. */
  readonly dangling: readonly { readonly name: string; readonly folder: string; readonly reference: string }[];
  /** A name that exists in several folders: the first counts, the others are hidden. */
  readonly shadowed: readonly { readonly name: string; readonly folder: string; readonly hidden: readonly string[] }[];
  readonly checked: number;
}

export async function checkMemories(documents: Documents, locator: MemoryLocator): Promise<CheckReport> {
  const names = await listNames(documents, locator);
  const known = new Set(names.map(({ name }) => name));
  const texts = await readAllMemories(documents, locator);
  const dangling = [];
  for (const { name, folder, content } of texts) {
    for (const reference of referencesIn(content, (text) => known.has(text))) {
      if (known.has(reference) || (await exists(reference, locator))) continue;
      dangling.push({ name, folder: folder.root, reference });
    }
  }
  const shadowed = names.flatMap(({ name, places: [first, ...others] }) =>
    first && others.length > 0
      ? [{ name, folder: first.folder.root, hidden: others.map(({ folder }) => folder.root) }]
      : [],
  );
  return { dangling, shadowed, checked: texts.length };
}

/** By another spelling, such as the longer one of a folder inside another. */
async function exists(reference: string, locator: MemoryLocator): Promise<boolean> {
  try {
    return (await locator.find(reference)) !== undefined;
  } catch {
    return false;
  }
}
