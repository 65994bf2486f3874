import { RecollectError } from "../../kernel/errors.ts";
import type { Address } from "../../kernel/store.ts";
import type { NamedConflict } from "./conflicts.ts";
import type { UnsettledConflict } from "./unsettled-conflicts.ts";

/** Another version beside a document, or what a sync decided without leaving one. */
export type MeantConflict =
  | { readonly kind: "beside"; readonly conflict: NamedConflict }
  | { readonly kind: "decided"; readonly unsettled: UnsettledConflict };

/**
 * The one that a name means. Root and path together mean one place and win over every name; where a name means several,
 * nobody guesses. Of a document that has another version beside it, that one is settled first.
 */
export function meantBy(
  given: string,
  conflicts: readonly NamedConflict[],
  unsettled: readonly UnsettledConflict[],
): MeantConflict {
  const beside = conflicts.map((conflict) => ({ kind: "beside", conflict }) as const);
  const decided = unsettled
    .filter(({ at }) => !conflicts.some(({ original }) => placeOf(original) === placeOf(at)))
    .map((one) => ({ kind: "decided", unsettled: one }) as const);
  const all: readonly MeantConflict[] = [...beside, ...decided];
  const steps: readonly MeantConflict[][] = [
    all.filter((one) => isAt(given, ownPlace(one))),
    beside.filter(({ conflict }) => isAt(given, conflict.original)),
    beside.filter(({ conflict }) => conflict.name === given),
    beside.filter(({ conflict }) => isCalled(given, conflict.name, conflict.at)),
    [
      ...beside.filter(({ conflict }) => isCalled(given, conflict.originalName, conflict.original)),
      ...decided.filter((one) => isCalled(given, one.unsettled.name, one.unsettled.at)),
    ],
  ];
  const found = steps.find((step) => step.length > 0) ?? [];
  const [first, ...others] = found;
  if (first && others.length === 0) return first;
  if (first) {
    const places = found.map((one) => placeOf(ownPlace(one))).join(", ");
    throw new RecollectError("INVALID_ARGUMENT", `Several are meant by “${given}”: ${places}. Name one of them.`);
  }
  throw new RecollectError("NOT_FOUND", `No conflict waits under the name “${given}”. See: recollect resolve`, {
    data: { name: given },
  });
}

function ownPlace(one: MeantConflict): Address {
  return one.kind === "beside" ? one.conflict.at : one.unsettled.at;
}

function placeOf({ root, path }: Address): string {
  return `${root}/${path}`;
}

function isAt(given: string, at: Address): boolean {
  return isSpelled(given, placeOf(at));
}

function isCalled(given: string, name: string, { path }: Address): boolean {
  return name === given || name === given.replace(/\.md$/, "") || isSpelled(given, path);
}

function isSpelled(given: string, whole: string): boolean {
  return whole === given || whole === `${given}.md`;
}
