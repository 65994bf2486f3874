import type { Documents } from "./documents.ts";
import type { Address } from "./store.ts";

/** In groups that one operation can change, in the order of their first. */
export function groupByStore<One extends { readonly at: Address }>(
  documents: Pick<Documents, "isTogether">,
  all: readonly One[],
): readonly (readonly One[])[] {
  const groups: One[][] = [];
  for (const one of all) {
    const own = groups.find(([first]) => first && documents.isTogether(first.at, one.at));
    if (own) own.push(one);
    else groups.push([one]);
  }
  return groups;
}
