import type { IndexedDocument } from "./index/index-change.ts";
import type { Describe } from "./prepare-batches.ts";

/** Of all texts together, in characters: more would be too much memory. */
const mostCharacters = 256 * 1024;

/**
 * The same, with a memory of those that were just written: such a document is read again when it has settled, as nobody
 * can tell it from a later one before, and mostly it is still the same text.
 */
export function describeAgain(describe: Describe): Describe {
  /** The latest last. */
  const young = new Map<string, { readonly content: string; readonly described: IndexedDocument }>();
  let characters = 0;

  function remember(path: string, content: string, described: IndexedDocument): void {
    young.set(path, { content, described });
    characters += content.length;
    for (const oldest of young.keys()) {
      if (characters <= mostCharacters) return;
      take(oldest);
    }
  }

  function take(path: string) {
    const known = young.get(path);
    young.delete(path);
    characters -= known?.content.length ?? 0;
    return known;
  }

  return (path, document) => {
    const { content, stamp, modified } = document;
    const known = take(path);
    const described = known?.content === content ? { ...known.described, stamp, modified } : describe(path, document);
    // With another stamp than its own it is to be described again, by its meaning.
    if (described?.stamp === stamp && !isSettled(stamp)) remember(path, content, described);
    return described;
  };
}

function isSettled(stamp: number): boolean {
  return stamp > 0;
}
