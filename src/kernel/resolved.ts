import type { ExistingPath } from "./document-path.ts";
import { RecollectError } from "./errors.ts";
import type { Address, Resolved } from "./store.ts";

const made = new WeakSet<Address>();

/** For stores alone, once the path is checked and its root found. Frozen, since a caller may keep it while an operation waits. */
export function toResolved(root: string, path: ExistingPath): Resolved {
  const at = Object.freeze({ root, path }) as Resolved;
  made.add(at);
  return at;
}

/**
 * Refuses an address that no store resolved, and parses nothing. The brand is a promise of the type system alone; a
 * caller in plain JavaScript never made it.
 */
export function assertResolved(at: Address): void {
  if (made.has(at)) return;
  throw new RecollectError(
    "INVALID_ARGUMENT",
    "This address was not resolved. Give it to the store's “resolve” first.",
  );
}
