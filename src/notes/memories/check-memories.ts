import type { Documents } from "../../kernel/documents.ts";
import type { MemoryLocator } from "./locate-memory.ts";
import { readAllMemories } from "./read-all-memories.ts";
import { createReferenceFinder } from "./references.ts";
import { surveyMemories } from "./survey-memories.ts";

export interface CheckReport {
  /** A memory that refers to a name that no memory has. */
  readonly dangling: readonly { readonly name: string; readonly folder: string; readonly reference: string }[];
  /** A name that exists in several folders: the first counts, the others are hidden. */
  readonly shadowed: readonly { readonly name: string; readonly folder: string; readonly hidden: readonly string[] }[];
  readonly checked: number;
}

export async function checkMemories(documents: Documents, locator: MemoryLocator): Promise<CheckReport> {
  const { names, spellings } = await surveyMemories(documents, locator);
  // Only what the folders list exists: no reference costs a look at the disk.
  const known = new Set([...names, ...spellings].map(({ name }) => name));
  const find = createReferenceFinder(known);
  const dangling = [];
  let checked = 0;
  for await (const { name, folder, content } of readAllMemories(documents, names)) {
    checked += 1;
    const unknown = new Set<string>();
    for (const reference of find(content)) if (!known.has(reference.name)) unknown.add(reference.name);
    for (const reference of unknown) dangling.push({ name, folder: folder.root, reference });
  }
  const shadowed = names.flatMap(({ name, places: [first, ...others] }) =>
    first && others.length > 0
      ? [{ name, folder: first.folder.root, hidden: others.map(({ folder }) => folder.root) }]
      : [],
  );
  return { dangling, shadowed, checked };
}
