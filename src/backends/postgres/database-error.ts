import { type ErrorCode, isRecollectError, RecollectError } from "../../kernel/errors.ts";

/** What the database says, by its code, in our words. */
const known: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  "25006": ["READ_ONLY", "the database takes no writes now"],
  "40001": ["BUSY", "others were writing there again and again"],
  "40P01": ["BUSY", "others were writing there again and again"],
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

/** The database has no time, no room or no tables, or takes no writes: whoever asks is told the same. */
const common = /^(25006|57014|53...|58...|42P01|3F000)$/;
/** Somebody else holds what it needs for too long. */
const held = "55P03";

/** Two operations met: each may succeed when it is tried again. */
const collided: ReadonlySet<string> = new Set(["40001", "40P01"]);

/** The connection or the database went away, as the database says it, the system, and the client library. */
const lostByDatabase = /^(57P0[1-5]|08...)$/;
/** Of what Node calls "ERR", only what is about the connection: the rest are faults of a program. */
const lostBySystem =
  /^(E[A-Z]+|EAI_[A-Z]+|ERR_(STREAM_(DESTROYED|PREMATURE_CLOSE|WRITE_AFTER_END)|SOCKET_(CLOSED|CLOSED_BEFORE_CONNECTION|CONNECTION_TIMEOUT)|TLS_(HANDSHAKE_TIMEOUT|CERT_ALTNAME_INVALID)|SSL_[A-Z0-9_]+))$/;
const lostByLibrary =
  /^(Connection terminated( unexpectedly| due to connection timeout)?|Client (has encountered a connection error and is not queryable|was closed and is not queryable)|timeout exceeded when trying to connect)$/;
/** The database cannot say either whether it was committed. */
const unknownCompletion = "40003";

export function isCollision(error: unknown): boolean {
  return collided.has(codeOf(error));
}

/** Somebody else makes the same tables at this moment: "if not exists" does not save from that. */
export function isMadeTwice(error: unknown): boolean {
  return ["23505", "42710", "42P06", "42P07", "XX000"].includes(codeOf(error));
}

/** The connection or the database is gone, and may be back soon. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error) || isRecollectError(error)) return false;
  if (error instanceof UnknownOutcome) return true;
  if (isSaidByDatabase(error)) return lostByDatabase.test(codeOf(error));
  return lostBySystem.test(codeOf(error)) || lostByLibrary.test(error.message);
}

/** Whether a commit that was sent did nothing. Only the database itself can say so, and only if it goes on: see Pipeline. */
export function isUndone(error: unknown): boolean {
  return isSaidByDatabase(error) && !isLost(error) && codeOf(error) !== unknownCompletion;
}

/**
 * Whose a failure is, among those who went together. Only "own" is worth another try, each alone: it may be the fault of
 * one of them. Otherwise nobody knows what became of it ("unknown"), somebody else holds what they need ("held"), or it is
 * the database itself ("common"): then they are told at once, since each alone would fail alike, after as long a time.
 */
export function failureOf(error: unknown): "unknown" | "held" | "common" | "own" {
  if (error instanceof UnknownOutcome) return "unknown";
  if (codeOf(error) === held) return "held";
  // What we say ourselves about a database, such as that it was closed, is about no write.
  return isLost(error) || isRecollectError(error) || common.test(codeOf(error)) ? "common" : "own";
}

/** A commit was sent, and nobody knows what became of it. */
export class UnknownOutcome extends Error {
  constructor(cause: unknown) {
    super("The connection, or the standby, was lost while it was committed.", { cause });
  }
}

/** By the database itself, and not by the system or the client library. */
export function isSaidByDatabase(error: unknown): boolean {
  return error instanceof Error && "severity" in error && /^[0-9A-Z]{5}$/.test(codeOf(error));
}

/**
 * Whether a notice says that a commit did not wait for its standby to the end: somebody cancelled that, and the database
 * goes on, or it ends with this. Told by where it is said, since the words are in the database's language.
 */
export function isCommittedAlone(notice: unknown): boolean {
  if (typeof notice !== "object" || notice === null) return false;
  const { code, routine, message } = notice as { code?: unknown; routine?: unknown; message?: unknown };
  if (code === "57P01") return true;
  const isAboutStandby =
    routine === "SyncRepWaitForLSN" || /^canceling (the )?wait for synchronous/.test(String(message));
  return code === "01000" && isAboutStandby;
}

/** A standby, or a database that somebody has closed for writes. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === "25006";
}

/** Never what the database says word by word: that may hold the values of a row. */
export function toDatabaseError(error: unknown, doing: string): unknown {
  if (isRecollectError(error) || !(error instanceof Error)) return error;
  const code = codeOf(error);
  if (error instanceof UnknownOutcome) {
    const says = `The connection to the database, or from there to its standby, was lost while it was to ${doing}, so it may be done or not. Look whether it is, then try again.`;
    return new RecollectError("STORAGE_FAILED", says, { data: { reason: "unknown outcome" }, cause: error });
  }
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
