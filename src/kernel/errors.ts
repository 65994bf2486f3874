/** Every code that a caller may meet. Codes are stable: a new one is added, an old one never changes its meaning. */
export const errorCodes = [
  "INVALID_PATH",
  "INVALID_CONTENT",
  "NOT_FOUND",
  "NOT_A_DOCUMENT",
  "NOT_UTF8",
  "CONFLICT",
  "SENSITIVE_CONTENT",
  "READ_ONLY",
  "NOT_ALLOWED",
  "TOO_LARGE",
  "BUSY",
  "DISK_FULL",
  "PERMISSION_DENIED",
  "TOO_MANY_OPEN_FILES",
  "STORAGE_FAILED",
  "UNSUPPORTED_FORMAT",
  "RECOVERY_NEEDED",
  "SYNC_FAILED",
  "INVALID_ARGUMENT",
] as const;

/** The codes of `RecollectError`: programs decide by them, people read the message. */
export type ErrorCode = (typeof errorCodes)[number];

export interface ErrorOptions {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * The one error of the library. `message` is for people and is safe to show to any caller: it never
 * holds a path of the host outside the root, nor the value of a secret. `cause` is for logs alone.
 */
export class RecollectError extends Error {
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.data = options.data ?? {};
  }
}

/** Whether an error is one of Recollect's. */
export function isRecollectError(value: unknown): value is RecollectError {
  return value instanceof RecollectError;
}
