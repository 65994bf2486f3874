import type { TextRange } from "./code-details.ts";
import { firstMark } from "./find-headings.ts";

/** About 400 words. */
const longestUnit = 2400;

/**
 * The borders at which a long section is cut into pieces of about the same length: between paragraphs, between lines
 * where a paragraph has no end, never within a code fence. The first is where the section begins, the last its end.
 */
export function cutSection(content: string, start: number, end: number, fences: readonly TextRange[]): number[] {
  const length = end - start;
  if (length <= longestUnit) return [start, end];
  const target = length / Math.ceil(length / longestUnit);
  const borders = [start];
  let last = start;
  let fence = firstFenceFrom(fences, start);
  for (let at = start; at < end; ) {
    const found = content.indexOf("\n", at);
    const next = found === -1 ? end : Math.min(found + 1, end);
    while (fence < fences.length && (fences[fence]?.end ?? 0) < next) fence += 1;
    const open = fences[fence];
    const inFence = open !== undefined && next > open.start && next < open.end;
    const grown = next - last;
    const isBorder = grown >= target && (firstMark(content, at, next) === next || grown >= target * 2);
    if (isBorder && !inFence && end - next >= target / 4) {
      borders.push(next);
      last = next;
    }
    at = next;
  }
  borders.push(end);
  return borders;
}

function firstFenceFrom(fences: readonly TextRange[], start: number): number {
  let low = 0;
  let high = fences.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((fences[middle]?.end ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  return low;
}
