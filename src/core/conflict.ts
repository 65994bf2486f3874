import { RecollectError } from "./errors.ts";
import type { Rev } from "./revision.ts";
import type { Address } from "./store.ts";

/** The expected outcome of a compare-and-set that lost: nothing was written. */
export interface Conflict {
  readonly kind: "conflict";
  readonly at: Address;
  /** The revision that is there now; undefined where there is none. */
  readonly current: Rev | undefined;
}

/** What the caller believes to be there. */
export interface Expectation {
  /** The revision that the caller read. */
  readonly ifRev?: Rev;
  /** The document must not exist yet. */
  readonly mustNotExist?: boolean;
}

export function meets(expected: Expectation, current: Rev | undefined): boolean {
  if (expected.mustNotExist) return current === undefined;
  return expected.ifRev === undefined || expected.ifRev === current;
}

export function conflictError(conflict: Conflict): RecollectError {
  const { at, current } = conflict;
  const now = current === undefined ? "it does not exist" : `its revision is ${current}`;
  return new RecollectError(
    "CONFLICT",
    `“${at.path}” is not as expected: ${now}. Read it again, then repeat the change on what is there.`,
    { data: { root: at.root, path: at.path, current } },
  );
}
