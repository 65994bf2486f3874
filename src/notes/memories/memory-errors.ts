import { type Conflict, conflictError, type Expectation } from "../../kernel/conflict.ts";
import type { ExistingPath } from "../../kernel/document-path.ts";
import { type ErrorCode, isRecollectError, RecollectError } from "../../kernel/errors.ts";

/** What a file is that is there and cannot be read as a note; anything else that fails is the storage. */
const unreadable: readonly ErrorCode[] = [
  "NOT_A_DOCUMENT",
  "NOT_UTF8",
  "TOO_LARGE",
  "PERMISSION_DENIED",
  "INVALID_PATH",
];

export function isUnreadable(error: unknown): boolean {
  return isRecollectError(error) && unreadable.includes(error.code);
}

export function goneError(name: string): RecollectError {
  return new RecollectError("NOT_FOUND", `The memory “${name}” was deleted just now.`, { data: { name } });
}

/** In the name that the caller knows. */
export function lostError(name: string, { at, current }: Conflict, expected: Expectation): RecollectError {
  return conflictError({ kind: "conflict", at: { root: at.root, path: name as ExistingPath }, current }, expected);
}
