import { parseEntryHeading } from "../text/entry-heading.ts";
import { closesFence, fenceClosedBy, fenceOpenedBy } from "../text/fences.ts";

/** The name of a field at the beginning of a line, and what follows it. */
export const label = /^\*\*([^*:\n]{1,40}):\*\*[ \t]?([^\n]*)$/;
const escaped = /^( {0,3})\\(?=\\*(?:##|\*\*|```|~~~))/;

/**
 * A line that would begin another entry, another field or a fence without an end is text here: it gets a
 * backslash, as Markdown has it. Nothing stored can be read as a second entry, nor swallow those below it.
 */
export function escapeLines(text: string): string {
  return mapOutsideFences(text, (line) =>
    parseEntryHeading(line) || label.test(line) || fenceOpenedBy(line) || escaped.test(line)
      ? line.replace(/^ {0,3}/, (indent) => `${indent}\\`)
      : line,
  );
}

export function unescapeLines(text: string): string {
  return mapOutsideFences(text, (line) => line.replace(escaped, "$1"));
}

function mapOutsideFences(text: string, change: (line: string) => string): string {
  const lines = text.split("\n");
  const fences = closedFences(lines);
  let open: string | undefined;
  return lines
    .map((line, index) => {
      if (open === undefined) {
        open = fences[index];
        return open === undefined ? change(line) : line;
      }
      if (closesFence(line, open)) open = undefined;
      return line;
    })
    .join("\n");
}

/** For each line the fence it would begin; one that nothing closes is none. From below, in one pass. */
function closedFences(lines: readonly string[]): (string | undefined)[] {
  const longest = { "`": 0, "~": 0 };
  return lines
    .toReversed()
    .map((line) => {
      const run = fenceOpenedBy(line);
      const isClosed = run !== undefined && run.length <= longest[kindOf(run)];
      const closing = fenceClosedBy(line);
      if (closing) longest[kindOf(closing)] = Math.max(longest[kindOf(closing)], closing.length);
      return isClosed ? run : undefined;
    })
    .toReversed();
}

function kindOf(run: string): "`" | "~" {
  return run.startsWith("`") ? "`" : "~";
}
