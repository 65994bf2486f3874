import { setImmediate } from "node:timers/promises";
import type { Documents } from "../../kernel/documents.ts";
import { readAhead } from "../../kernel/read-ahead.ts";
import type { Address } from "../../kernel/store.ts";
import { isUnreadable } from "./memory-errors.ts";
import type { MemoryFolder } from "./memory-folder.ts";
import type { ListedName } from "./survey-memories.ts";

/** One file of a memory: also those that another folder's memory of the same name hides. */
export interface MemoryText {
  readonly name: string;
  readonly folder: MemoryFolder;
  readonly at: Address;
  readonly content: string;
}

/** After so much text others have their turn: a client that asks for one note must not wait for all of them. */
const breathAfter = 256 * 1024;
/** What opening a file takes, in characters looked at. */
const costOfOpening = 8 * 1024;

/** Whatever can be read, one after the other. A file that is no text, or went away, keeps nobody from the others. */
export async function* readAllMemories(
  documents: Documents,
  names: readonly ListedName[],
): AsyncGenerator<MemoryText, void> {
  const files = names.flatMap(({ name, places }) => places.map(({ at, folder }) => ({ name, folder, at })));
  let work = 0;
  for await (const [file, content] of readAhead(files, ({ at }) => contentOf(documents, at))) {
    if (content !== undefined) yield { ...file, content };
    work += costOfOpening + (content?.length ?? 0);
    if (work < breathAfter) continue;
    work = 0;
    await setImmediate();
  }
}

async function contentOf(documents: Documents, at: Address): Promise<string | undefined> {
  try {
    return (await documents.read(at))?.content;
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}
