import type { ApiConflictData } from "../api/contract/document.ts";

/** A failure of the API, or of reaching it. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly data: unknown;

  constructor(code: string, message: string, status: number, data?: unknown) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

/** What a person can do about a failure, where its own message does not say so. */
const advice: Readonly<Record<string, string>> = {
  OFFLINE: "Is `recollect serve` still running? This page goes on by itself once it answers.",
  UNAUTHORIZED: "Open the address that `recollect serve` prints, or paste another token.",
  FORBIDDEN: "Ask for a token with the scope that this needs: `recollect token create`.",
  NOT_FOUND: "It may have been moved or deleted, or this token may not see it. History has what was there.",
  CONFLICT: "Somebody changed it meanwhile. Look at what it says now, then decide.",
  SENSITIVE_CONTENT:
    "Write where the value is kept instead. An admin can allow a harmless value with `recollect guard allow`.",
  READ_ONLY: "Nothing can be changed in this place. Choose another root, or change its settings.",
  NOT_ALLOWED: "This token or the settings do not allow it here.",
  TOO_LARGE: "Split the text into several notes.",
  BUSY: "Somebody else is writing there. Try again.",
  DISK_FULL: "Make room on the server's disk, then try again. Your text is still here.",
  INVALID_PATH: "Use letters, digits, dashes and dots, with `/` between folders, such as `auth/login.md`.",
  RATE_LIMITED: "Wait a moment, then try again.",
  OVERLOADED: "The server has more to do than it can. Wait a moment, then try again.",
  RECOVERY_NEEDED: "Run `recollect doctor` on the server's machine.",
  STORAGE_FAILED: "Run `recollect doctor` on the server's machine.",
};

export function adviceFor(error: unknown): string {
  if (!(error instanceof ApiError)) return "Load the page again. If that does not help, look at the server's log.";
  if (advice[error.code] !== undefined) return advice[error.code] ?? "";
  if (error.status === 429) return advice["RATE_LIMITED"] ?? "";
  if (error.status === 503) return advice["OVERLOADED"] ?? "";
  return "Try again. If it stays, run `recollect doctor` on the server's machine.";
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

export function isOffline(error: unknown): boolean {
  return error instanceof ApiError && error.code === "OFFLINE";
}

/** Somebody else was faster; shows what is there now. */
export function isConflict(error: unknown): error is ApiError & { readonly data: ApiConflictData } {
  return error instanceof ApiError && error.status === 409 && typeof error.data === "object" && error.data !== null;
}

/** What was looked at is something else by now, or gone. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 409 || error.status === 404);
}
