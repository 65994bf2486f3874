import type { SourceDocument } from "../core/source.ts";
import type { IndexedDocument } from "./index/index-change.ts";

export type Describe = (path: string, document: SourceDocument) => IndexedDocument | undefined;

const mostRemembered = 16;
/** Of longer texts too much memory would be held. */
const mostCharacters = 64 * 1024;

/**
 * The same, with a memory of the last few: a document that was just written is read again, as nobody can tell it from
 * a later one before it has settled, and mostly it is still the same text.
 */
export function describeAgain(describe: Describe): Describe {
  /** The latest last. */
  const last = new Map<string, { readonly content: string; readonly described: IndexedDocument }>();

  function remember(path: string, content: string, described: IndexedDocument | undefined): void {
    last.delete(path);
    if (!described || content.length > mostCharacters) return;
    last.set(path, { content, described });
    for (const oldest of last.keys()) if (last.size > mostRemembered) last.delete(oldest);
  }

  return (path, document) => {
    const { content, stamp, modified } = document;
    const known = last.get(path);
    if (known?.content === content) return { ...known.described, stamp, modified };
    const described = describe(path, document);
    // With another stamp than its own it is to be described again, by its meaning.
    remember(path, content, described?.stamp === stamp ? described : undefined);
    return described;
  };
}
