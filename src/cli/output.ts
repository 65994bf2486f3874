import { type ErrorCode, isRecollectError } from "../app.ts";

/** What a command reads from and writes to; tests give their own. */
export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Where and for whom it runs; without it, as the process does. */
  readonly place?: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly home: string };
  /** Whether a person sees the output. */
  readonly terminal: boolean;
  /** All of standard input as bytes; undefined where a person sits at it. */
  readonly readInput: () => Promise<Buffer | undefined>;
  /** Asks a person; absent where nobody can answer. */
  readonly confirm?: (question: string) => Promise<boolean>;
  /** Asks a person for one of these letters; undefined is none of them. */
  readonly choose?: (question: string, letters: readonly string[]) => Promise<string | undefined>;
  /** Asks for what must not be shown while it is typed; absent where nobody can answer. */
  readonly askSecret?: (question: string) => Promise<string>;
  /** Ends the process at once, whatever it is still doing. */
  readonly leave?: () => void;
}

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  conflict: 4,
  refused: 5,
  storage: 6,
  /** Of verify alone. */
  changedOutside: 7,
  damaged: 8,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodeHelp = `
Exit codes:
  0  done
  1  failed
  2  wrong usage, or a path or text that is not acceptable
  3  not found
  4  conflict: it is not as expected
  5  refused: read-only or not allowed
  6  storage: busy, full, or failing
  7  verify: changed without Recollect
  8  verify: damaged`;

const byError: Partial<Record<ErrorCode, ExitCode>> = {
  INVALID_PATH: exitCodes.usage,
  INVALID_CONTENT: exitCodes.usage,
  INVALID_ARGUMENT: exitCodes.usage,
  NOT_A_DOCUMENT: exitCodes.usage,
  NOT_UTF8: exitCodes.usage,
  TOO_LARGE: exitCodes.usage,
  NOT_FOUND: exitCodes.notFound,
  CONFLICT: exitCodes.conflict,
  READ_ONLY: exitCodes.refused,
  NOT_ALLOWED: exitCodes.refused,
  SENSITIVE_CONTENT: exitCodes.refused,
  PERMISSION_DENIED: exitCodes.refused,
  BUSY: exitCodes.storage,
  DISK_FULL: exitCodes.storage,
  TOO_MANY_OPEN_FILES: exitCodes.storage,
  STORAGE_FAILED: exitCodes.storage,
  SYNC_FAILED: exitCodes.storage,
};

/** An answer: words for people, or one JSON object for scripts. */
export function print(io: Io, json: boolean, text: string, data: Record<string, unknown>): void {
  if (json) io.out(`${JSON.stringify(data)}\n`);
  else if (text !== "") io.out(harmless(text.endsWith("\n") ? text : `${text}\n`));
}

/** The one place where the command line turns an error into words. */
export function printError(io: Io, json: boolean, error: unknown): ExitCode {
  if (!isRecollectError(error)) throw error;
  const { code, message, data } = error;
  if (json) io.err(`${JSON.stringify({ error: { code, message, data } })}\n`);
  else io.err(`recollect: ${harmless(message)}\n`);
  return byError[code] ?? exitCodes.failed;
}

/** A name on its way to a terminal: it must not be able to move the cursor or change the screen. */
export function printable(text: string): string {
  return escapeAll(text, /[\p{Cc}\p{Bidi_Control}]/gu);
}

/** The same for a whole text, whose lines and tabs stay. Into a pipe or a file it goes as it is. */
export function printableText(io: Io, text: string): string {
  return io.terminal ? harmless(text) : text;
}

/** Several lines that may hold names which others gave. */
function harmless(text: string): string {
  return escapeAll(text, /[^\P{Cc}\t\n]|\p{Bidi_Control}/gu);
}

/** A name in a command line that people may copy: it must not become a command of its own there. */
export function shellWord(text: string): string {
  const word = printable(text);
  return /^[\w ./-]*$/.test(word) ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

function escapeAll(text: string, what: RegExp): string {
  return text.replace(what, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
