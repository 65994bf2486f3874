import { type ErrorCode, isRecollectError, RecollectError } from "../../core/errors.ts";

/** What the database says, by its code, in our words. */
const known: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  "25006": ["READ_ONLY", "the database takes no writes now"],
  "42501": ["PERMISSION_DENIED", "the database's user has no right to do it"],
  "53100": ["DISK_FULL", "the disk of the database is full"],
  "53300": ["BUSY", "the database has no connection left"],
  "55P03": ["BUSY", "somebody else is writing there for too long"],
  "57014": ["BUSY", "it took too long"],
  "42P01": [
    "UNSUPPORTED_FORMAT",
    "the tables are not there; start Recollect once as the role that owns the schema “recollect”",
  ],
  "3F000": [
    "UNSUPPORTED_FORMAT",
    "the tables are not there; start Recollect once as the role that owns the schema “recollect”",
  ],
};

/** Two operations met: each may succeed when it is tried again. */
const collided: ReadonlySet<string> = new Set(["40001", "40P01"]);

/** The connection or the database went away, and may be back soon. */
const lost =
  /^(57P0[1-5]|08...|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOENT|EAI_AGAIN|ENOTFOUND)$|terminated|not queryable|timeout exceeded when trying to connect/;

export function isCollision(error: unknown): boolean {
  return collided.has(codeOf(error));
}

export function isLost(error: unknown): boolean {
  return lost.test(codeOf(error)) || (error instanceof Error && lost.test(error.message));
}

/** A standby, or a database that somebody has closed for writes. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === "25006";
}

/** Never what the database says word by word: that may hold the values of a row. */
export function toDatabaseError(error: unknown, doing: string): unknown {
  if (isRecollectError(error) || !(error instanceof Error)) return error;
  const code = codeOf(error);
  if (isLost(error)) {
    return new RecollectError("STORAGE_FAILED", `Cannot ${doing}: the database cannot be reached. Try again.`, {
      data: { reason: "unreachable" },
      cause: error,
    });
  }
  const found = known[code];
  if (found) return new RecollectError(found[0], `Cannot ${doing}: ${found[1]}.`, { cause: error });
  if (code === "") return error;
  return new RecollectError("STORAGE_FAILED", `Cannot ${doing}: the database refused it (${code}).`, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
