import { RecollectError } from "./errors.ts";
import { isRev, type Rev } from "./revision.ts";
import type { Address, Change } from "./store.ts";

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
