import { RecollectError } from "./errors.ts";

/** Lines from 0, both ends included, as Serena counts them. */
export interface LineRange {
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
}

export interface Excerpt {
  readonly content: string;
  /** Which lines of how many are shown; undefined where it is the whole text. */
  readonly part?: { readonly from: number; readonly to: number; readonly of: number };
}

/** The asked lines, and of those as many whole ones as fit; at least the beginning of the first, with “…” after it. */
export function excerpt(text: string, range: LineRange, maxChars: number): Excerpt {
  assertRange(range);
  const { startLine = 0, endLine } = range;
  if (startLine === 0 && endLine === undefined && text.length <= maxChars) return { content: text };
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const asked = lines.slice(startLine, endLine === undefined ? undefined : endLine + 1);
  if (asked.length === 0 && startLine > 0) {
    const there = lines.length === 0 ? "The text is empty" : `The last line is ${lines.length - 1}, counted from 0`;
    throw new RecollectError("INVALID_ARGUMENT", `${there}. Begin before line ${startLine}.`);
  }
  let [shown, length] = [0, 0];
  while (shown < asked.length && length + (asked[shown]?.length ?? 0) <= maxChars)
    length += asked[shown++]?.length ?? 0;
  if (shown === 0 && asked[0] !== undefined) {
    const part = { from: startLine, to: startLine, of: lines.length };
    return { content: `${beginningOf(asked[0], maxChars - 1)}…`, part };
  }
  const content = asked.slice(0, shown).join("");
  if (startLine === 0 && shown === lines.length) return { content };
  return { content, part: { from: startLine, to: startLine + shown - 1, of: lines.length } };
}

/** Never half of a character. */
function beginningOf(line: string, length: number): string {
  const beginning = line.slice(0, Math.max(length, 0));
  return beginning.isWellFormed() ? beginning : beginning.slice(0, -1);
}

function assertRange({ startLine, endLine }: LineRange): void {
  for (const line of [startLine, endLine]) {
    if (line === undefined || (Number.isInteger(line) && line >= 0)) continue;
    throw new RecollectError("INVALID_ARGUMENT", "A line is a whole number from 0.");
  }
  if (endLine === undefined || endLine >= (startLine ?? 0)) return;
  throw new RecollectError("INVALID_ARGUMENT", "The last line lies before the first one. Swap them.");
}
