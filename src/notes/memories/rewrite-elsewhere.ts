import { groupByStore } from "../../kernel/by-store.ts";
import type { DocumentPath } from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import { isRecollectError } from "../../kernel/errors.ts";
import type { Address, Change, Stamp } from "../../kernel/store.ts";

/** A text with its references rewritten; undefined where it must stay as it is. */
export type NextText = (content: string) => string | undefined;

/**
 * Rewrites memories that are kept elsewhere than the one that was renamed: as one operation for each store, after the
 * renaming, which stays done whatever becomes of this. Returns those that were rewritten; the others are told.
 */
export async function rewriteElsewhere<One extends { readonly at: Address<DocumentPath> }>(
  all: readonly One[],
  next: NextText,
  { documents, stamp }: { readonly documents: Documents; readonly stamp: Stamp },
): Promise<readonly One[]> {
  async function isDone(some: readonly One[]): Promise<boolean> {
    const places = some.map(({ at }) => at);
    try {
      await documents.commit(places, (current) => rewritesOf(places, next, (at) => current(at)?.content), stamp);
      return true;
    } catch (error) {
      if (isRecollectError(error)) return false;
      throw error;
    }
  }

  const done: One[] = [];
  for (const group of groupByStore(documents, all)) {
    if (await isDone(group)) done.push(...group);
    // One that cannot be written keeps no other from being.
    else if (group.length > 1) for (const one of group) if (await isDone([one])) done.push(one);
  }
  return done;
}

/** The changes that rewrite these memories, as they are now. */
export function rewritesOf(
  places: readonly Address<DocumentPath>[],
  next: NextText,
  contentOf: (at: Address) => string | undefined,
): Change[] {
  return places.flatMap((at): Change[] => {
    const before = contentOf(at) ?? "";
    const content = next(before) ?? before;
    return content === before ? [] : [{ kind: "put", at, content }];
  });
}
