import { constants } from "node:os";
import { type ErrorCode, RecollectError } from "../../kernel/errors.ts";

interface Meaning {
  readonly code: ErrorCode;
  readonly says: string;
}

const full: Meaning = { code: "DISK_FULL", says: "there is no space left on the device" };
const files: Meaning = { code: "TOO_MANY_OPEN_FILES", says: "too many files are open" };
const denied: Meaning = { code: "PERMISSION_DENIED", says: "the system denies the permission" };
const stale: Meaning = { code: "STORAGE_FAILED", says: "its files were replaced at the same time; try again" };

// By number, not by name: Node knows no name for EDQUOT and reports it as UNKNOWN.
const meanings: ReadonlyMap<number, Meaning> = new Map([
  [constants.errno.ENOSPC, full],
  [constants.errno.EDQUOT, full],
  [constants.errno.EMFILE, files],
  [constants.errno.ENFILE, files],
  [constants.errno.EACCES, denied],
  [constants.errno.EPERM, denied],
  [constants.errno.ENAMETOOLONG, { code: "INVALID_PATH", says: "a name is too long for this disk" }],
  [constants.errno.EROFS, { code: "READ_ONLY", says: "the disk is read-only" }],
  [constants.errno.EISDIR, { code: "STORAGE_FAILED", says: "a folder is in the place of a file" }],
  [constants.errno.ENOTDIR, { code: "STORAGE_FAILED", says: "something else is in the place of a folder" }],
  [constants.errno.ENOTEMPTY, { code: "STORAGE_FAILED", says: "a folder is in the place of a file" }],
  [constants.errno.ELOOP, { code: "STORAGE_FAILED", says: "a link is in the place of a file or folder" }],
  [constants.errno.ENOENT, { code: "STORAGE_FAILED", says: "a file or folder is gone" }],
  [constants.errno.EIO, { code: "STORAGE_FAILED", says: "the disk reports an error" }],
]);

const SQLITE_FULL = 13;

/**
 * Turns what the system reported into the one error model (KER-9, KER-10). The system's own message
 * names host paths, so it stays in `cause`.
 */
export function toStorageError(error: unknown, doing: string): RecollectError {
  if (error instanceof RecollectError) return error;
  const isStale = hasCode(error, "ESTALE") && error instanceof Error;
  if (isStale && error.cause instanceof RecollectError) return error.cause;
  const meaning = meaningOf(error) ?? { code: "STORAGE_FAILED", says: `the storage failed (${nameOf(error)})` };
  return new RecollectError(meaning.code, `Could not ${doing}: ${meaning.says}.`, {
    data: { system: nameOf(error) },
    cause: error,
  });
}

/** Told in place of the failure, which would say that all is as it was: who then tries again might do it twice. */
export function notTakenBack(cause: unknown, failure: unknown): RecollectError {
  return new RecollectError(
    "RECOVERY_NEEDED",
    "The operation failed, and so did taking it back, so it may have been done: all of it or nothing. Look before you try again.",
    { cause: new AggregateError([cause, failure]) },
  );
}

/** The world changed under an operation, which may begin again. */
export function staleError(what: string, cause?: unknown): Error {
  return Object.assign(new Error(what, { cause }), { code: "ESTALE" });
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

function meaningOf(error: unknown): Meaning | undefined {
  if (!(error instanceof Error)) return undefined;
  if (hasCode(error, "ESTALE")) return stale;
  if ("errcode" in error) return error.errcode === SQLITE_FULL ? full : undefined;
  return "errno" in error ? meanings.get(Math.abs(Number(error.errno))) : undefined;
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if ("errcode" in error) return `SQLite ${error.errcode}`;
  return "code" in error ? String(error.code) : error.name;
}
