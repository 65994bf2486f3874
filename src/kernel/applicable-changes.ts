import { conflictError } from "./conflict.ts";
import { RecollectError } from "./errors.ts";
import type { Rev } from "./revision.ts";
import type { Address, Change } from "./store.ts";

/** Whether a plan came to changes: whatever else it returned is a refusal. */
export function isChanges(planned: unknown): planned is readonly Change[] {
  return Array.isArray(planned);
}

/** Refuses changes that cannot be made as a whole; every store asks it before anything is touched. */
export function assertApplicable(
  changes: readonly Change[],
  before: (at: Address) => { readonly rev: Rev } | undefined,
): void {
  const ends = changes.flatMap(endsOf);
  assertTouchedOnce(ends);
  // Throws for a document that the operation did not name.
  for (const end of ends) before(end);
  for (const change of changes) {
    if (change.kind === "remove" && !before(change.at)) throw missing(change.at);
    if (change.kind !== "move") continue;
    if (!before(change.from)) throw missing(change.from);
    const taken = before(change.to);
    if (taken) throw conflictError({ kind: "conflict", at: change.to, current: taken.rev }, { mustNotExist: true });
  }
}

/** The documents that a change concerns. */
function endsOf(change: Change): Address[] {
  return change.kind === "move" ? [change.from, change.to] : [change.at];
}

function assertTouchedOnce(ends: readonly Address[]): void {
  const touched = new Set<string>();
  for (const { root, path } of ends) {
    if (touched.has(`${root}/${path}`)) {
      throw new RecollectError("INVALID_ARGUMENT", `“${path}” is changed twice in one operation.`);
    }
    touched.add(`${root}/${path}`);
  }
}

function missing({ root, path }: Address): RecollectError {
  return new RecollectError("NOT_FOUND", `“${path}” does not exist.`, { data: { root, path } });
}
