import { RecollectError } from "./errors.ts";

export const operations = ["list", "read", "write", "append", "delete", "move"] as const;

export type Operation = (typeof operations)[number];

/** What may be done in a root. One place asks it, below every facade and surface (KER-8). */
export type RootPolicy = ReadonlySet<Operation>;

export const fullAccess: RootPolicy = new Set(operations);
export const readOnly: RootPolicy = new Set<Operation>(["list", "read"]);

const changing: RootPolicy = new Set<Operation>(["write", "append", "delete", "move"]);

/** Throws READ_ONLY where nothing may be changed at all, NOT_ALLOWED where just this operation is missing. */
export function assertAllowed(policy: RootPolicy, operation: Operation, root: string): void {
  if (policy.has(operation)) return;
  const data = { root, operation };
  if (changing.has(operation) && changing.isDisjointFrom(policy)) {
    throw new RecollectError("READ_ONLY", `“${root}” is read-only: ${operation} is refused.`, { data });
  }
  throw new RecollectError(
    "NOT_ALLOWED",
    `“${root}” does not allow ${operation}; it allows ${[...policy].join(", ") || "nothing"}.`,
    { data },
  );
}
