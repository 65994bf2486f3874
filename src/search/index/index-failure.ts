import type { Container } from "./container.ts";

/**
 * Why the index could not do what was asked. "lost": it was broken, or another process has begun it anew; it is empty
 * or half built, so look at all documents again and repeat. "busy": another process is writing, so try again soon.
 * "unavailable": take one in memory instead.
 */
export class IndexFailure extends Error {
  readonly kind: "lost" | "busy" | "unavailable";
  readonly reason: string;
  /** Whose it is, of several that are read together; undefined where that is not known. */
  of: Container | undefined;

  constructor(kind: IndexFailure["kind"], reason: string, cause?: unknown) {
    super(`The search index is ${kind}: ${reason}.`, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.kind = kind;
    this.reason = reason;
  }
}

/** What was read is not what was written. */
export class DamagedIndexError extends Error {}

/** What we ask for never breaks a rule of our own tables (19, 20): these rows are not ours any more. */
const damaged = new Set([11, 19, 20, 26]);
const locked = "another program keeps it locked; close what has it open, such as a viewer of databases";
const unusable = "make your cache folder writable, and see that no file is in its place";
/** Why, and what to do about it. */
const unavailable: Readonly<Record<number, string>> = {
  3: `there is no right to use it; ${unusable}`,
  5: locked,
  6: locked,
  7: "there is no memory left",
  8: `it cannot be written to; ${unusable}`,
  10: "reading or writing it failed; free some space on the disk of your cache folder, or look what is wrong with it",
  13: "the disk is full; free some space on the disk of your cache folder",
  14: `it cannot be opened; ${unusable}`,
  15: locked,
  22: "the file system cannot hold it; take another cache folder",
};

export function isDamage(error: unknown): boolean {
  if (error instanceof DamagedIndexError) return true;
  // Numbers that we write are small enough for JavaScript.
  if (error instanceof RangeError && "code" in error && error.code === "ERR_OUT_OF_RANGE") return true;
  const code = sqliteCode(error);
  // Tables that are gone were taken by somebody else: the statements are our own and right.
  const isGone = code === 1 && /no such (table|column|index)|unsupported file format/.test(String(error));
  return isGone || (code !== undefined && damaged.has(code));
}

/** An error of SQLite or of the file system as a failure of the index; of another kind, as it is. */
export function toRefusal(error: unknown, of: Container): unknown {
  const reason = refusalOf(error);
  if (reason === undefined) return error;
  const failure = new IndexFailure("unavailable", reason, error);
  failure.of = of;
  return failure;
}

/** For a writer, that another one is at work is nothing that lasts. */
export function toBusy(error: unknown): unknown {
  if (!(error instanceof IndexFailure) || error.reason !== locked) return error;
  const failure = new IndexFailure("busy", locked, error.cause);
  failure.of = error.of;
  return failure;
}

/** Undefined where the error is of another kind. */
export function refusalOf(error: unknown): string | undefined {
  const code = sqliteCode(error);
  if (code !== undefined) return unavailable[code] ?? `SQLite refused it (${code})`;
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return undefined;
  return error.code === "ENOSPC" || error.code === "EDQUOT"
    ? unavailable[13]
    : `its folder cannot be used; ${unusable}`;
}

function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : undefined;
}
