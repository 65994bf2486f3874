import { RecollectError } from "./errors.ts";
import { isRev, type Rev } from "./revision.ts";
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

/** An expectation from a caller's text. Nothing can be of a revision and not be there, so both are refused. */
export function parseExpectation(given: {
  readonly ifRev?: string | undefined;
  readonly mustNotExist?: boolean | undefined;
}): Expectation {
  const { ifRev, mustNotExist } = given;
  if (ifRev === undefined) return mustNotExist ? { mustNotExist } : {};
  if (mustNotExist) {
    throw new RecollectError(
      "INVALID_ARGUMENT",
      "What must not exist has no revision. Expect a revision or that nothing is there, not both.",
    );
  }
  if (isRev(ifRev)) return { ifRev };
  throw new RecollectError(
    "INVALID_ARGUMENT",
    "The expected revision is not written like one. Take it from the answer of a read or a write.",
  );
}

export function conflictError(conflict: Conflict, expected: Expectation = {}): RecollectError {
  const { at, current } = conflict;
  return new RecollectError("CONFLICT", `“${at.path}” ${saysOf(current, expected)}`, {
    data: { root: at.root, path: at.path, current },
  });
}

function saysOf(current: Rev | undefined, expected: Expectation): string {
  if (expected.mustNotExist) {
    return `exists already, with the revision ${current}. Choose another path, or read it and change what is there.`;
  }
  const now = current === undefined ? "it does not exist" : `its revision is ${current}`;
  return `is not as expected: ${now}. Read it again, then repeat the change on what is there.`;
}
