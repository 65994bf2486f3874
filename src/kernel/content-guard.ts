import { RecollectError } from "./errors.ts";
import type { Address, Change, Current } from "./store.ts";

/** What a write makes of a document, for somebody who may refuse it. */
export interface GuardedChange {
  readonly at: Address;
  /** The path under which it is kept now; undefined for a new one. */
  readonly nameBefore: string | undefined;
  readonly before: string;
  /** Empty where it is taken away. */
  readonly after: string;
}

/**
 * Throws where an operation adds what must not be stored (GUARD-1). It sees all documents of the operation at once,
 * since moving a text from one to another adds nothing. Asked with the locks held: it must be quick.
 */
export type ContentGuard = (changes: readonly GuardedChange[]) => void;

/** What a guard is shown of changes, less those in places that it does not look at. */
export function toGuarded(
  changes: readonly Change[],
  current: Current,
  isGuarded: (at: Address) => boolean,
): GuardedChange[] {
  // What comes from where nobody looked is new, also where it is only moved.
  const textBefore = (at: Address) => (isGuarded(at) ? textAt(at, current) : "");
  return changes.map((change) => guardedOf(change, textBefore, current)).filter(({ at }) => isGuarded(at));
}

function guardedOf(change: Change, textBefore: (at: Address) => string, current: Current): GuardedChange {
  switch (change.kind) {
    case "remove":
      return { at: change.at, nameBefore: change.at.path, before: textBefore(change.at), after: "" };
    case "move": {
      const { from, to } = change;
      return { at: to, nameBefore: from.path, before: textBefore(from), after: textAt(from, current) };
    }
    case "put":
    case "append": {
      const { at, content } = change;
      const after = change.kind === "append" ? textAt(at, current) + content : content;
      return { at, nameBefore: isThere(at, current) ? at.path : undefined, before: textBefore(at), after };
    }
  }
}

function isThere(at: Address, current: Current): boolean {
  try {
    return current(at) !== undefined;
  } catch (error) {
    if (error instanceof RecollectError && error.code === "NOT_UTF8") return true;
    throw error;
  }
}

/** What is no text holds nothing that a guard could know. */
function textAt(at: Address, current: Current): string {
  try {
    return current(at)?.content ?? "";
  } catch (error) {
    if (error instanceof RecollectError && error.code === "NOT_UTF8") return "";
    throw error;
  }
}
