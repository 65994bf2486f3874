import { ancestorsOf, type BasePlan, type ParentsOf, planBase } from "./base-plan.ts";

/** The graph of revisions, which is all that a plan needs. */
export interface Revisions {
  readonly parentsOf: ParentsOf;
  /**
   * Whether a revision is nothing but the result of a merge as this module makes it. One in which a person settled
   * something by hand is not, nor is one without several parents.
   */
  readonly isMerge: (id: string) => boolean;
}

export type MergePlan =
  /** One side has everything that the other has. */
  | { readonly kind: "take"; readonly side: "ours" | "theirs" }
  /** Both merged the same revisions, on different ways: either of them holds everything. */
  | { readonly kind: "choose" }
  | { readonly kind: "merge"; readonly base: BasePlan };

/**
 * How two revisions become one. Only what somebody wrote counts: of two clones that know the same of it one result is
 * chosen, in an order that all agree on. So clones that merge each other at the same time, again and again, come to rest.
 */
export function planMerge({ parentsOf, isMerge }: Revisions, ours: string, theirs: string): MergePlan {
  const written = (id: string) => new Set([...ancestorsOf(parentsOf, id)].filter((one) => !isMerge(one)));
  const [mine, other] = [written(ours), written(theirs)];
  const [hasAll, lacksNone] = [mine.isSupersetOf(other), other.isSupersetOf(mine)];
  if (hasAll && lacksNone) return ours === theirs ? { kind: "take", side: "ours" } : { kind: "choose" };
  if (hasAll || lacksNone) return { kind: "take", side: hasAll ? "ours" : "theirs" };
  return { kind: "merge", base: planBase(parentsOf, ours, theirs) };
}

/** Every revision whose documents a plan needs, besides the two that are merged. */
export function revisionsOf(plan: MergePlan): Set<string> {
  const parts = new Set<BasePlan>(plan.kind === "merge" ? [plan.base] : []);
  const ids = new Set<string>();
  for (const part of parts) {
    if (part.kind === "revision") ids.add(part.id);
    if (part.kind === "merge") for (const inner of [part.base, part.ours, part.theirs]) parts.add(inner);
  }
  return ids;
}
