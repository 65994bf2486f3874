import { appendFileSync, closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** A session that goes on for weeks writes less; what is larger was not written by Recollect. */
const mostBytes = 4 * 1024 * 1024;

/**
 * Lines of JSON that several processes append to at once. One line is one write to a file opened for appending, so that
 * none is lost and none is torn; what a log means is the sum of its lines, whatever their order in time. Each begins
 * with the line break: one that a full disk cut off takes no later one with it.
 */
export function appendLine(file: string, entry: unknown): void {
  appendFileSync(file, `\n${JSON.stringify(entry)}`, { mode: 0o600 });
}

/** What cannot be read is left out: a line of a later version, or one that a full disk cut off. */
export function readLines<Entry>(file: string, isEntry: (value: unknown) => value is Entry): Entry[] {
  return (
    endOf(file)
      ?.split("\n")
      .flatMap((line) => {
        if (line === "") return [];
        try {
          const value: unknown = JSON.parse(line);
          return isEntry(value) ? [value] : [];
        } catch (error) {
          if (error instanceof SyntaxError) return [];
          throw error;
        }
      }) ?? []
  );
}

/** Undefined where there is no file; without waiting where a pipe has its name. */
function endOf(file: string): string | undefined {
  let descriptor: number;
  try {
    // Windows has neither of these.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ELOOP"))
      return undefined;
    throw error;
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(stat.size, mostBytes));
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, stat.size - bytes.length));
  } finally {
    closeSync(descriptor);
  }
}
