import { conflictPath } from "./conflict-path.ts";
import { type Content, foldersOf, foldPath, isSame } from "./tree.ts";

/** A tree that is being put together. */
export interface DraftTree {
  readonly documents: Map<string, Content>;
  /** Keeps another version of a document beside it; the name that it got. */
  placeBeside(path: string, content: Content): string;
}

export function createDraftTree(): DraftTree {
  const documents = new Map<string, Content>();
  let names: Set<string> | undefined;

  function placeBeside(path: string, content: Content): string {
    names ??= new Set([...documents.keys()].flatMap((one) => [one, ...foldersOf(one)]).map(foldPath));
    const taken = names;
    const isFree = (name: string) => isSame(documents.get(name), content) || !taken.has(foldPath(name));
    const beside = conflictPath(path, content, isFree);
    documents.set(beside, content);
    taken.add(foldPath(beside));
    return beside;
  }

  return { documents, placeBeside };
}
