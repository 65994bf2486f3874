import { countUpTo } from "./positions.ts";

/** A text after replacements that made it shorter, and the way back. */
export interface Replaced {
  readonly text: string;
  /** From an offset in this text to that in the original one. */
  readonly toOriginal: (offset: number) => number;
}

export function replaced(text: string, pattern: RegExp, replacement: (found: string) => string): Replaced {
  const at: number[] = [];
  const lost: number[] = [];
  let total = 0;
  // The patterns have no groups, so the offset comes second.
  const result = text.replaceAll(pattern, (found: string, offset: number) => {
    const instead = replacement(found);
    at.push(offset - total + instead.length);
    total += found.length - instead.length;
    lost.push(total);
    return instead;
  });
  return { text: result, toOriginal: (offset) => offset + (lost[countUpTo(at, offset) - 1] ?? 0) };
}
