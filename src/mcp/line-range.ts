import * as z from "zod";
import type { Excerpt, LineRange } from "../index.ts";

/** Lines as Serena counts them: from 0, both ends included. −1 for a limit means the default one. */
export const lineRangeShape = {
  start_line: z.number().int().min(0).optional().describe("from 0"),
  end_line: z.number().int().min(0).optional().describe("inclusive"),
  max_answer_chars: z.number().int().min(-1).optional(),
};

export const partOutput = z.object({ from: z.number(), to: z.number(), of: z.number() }).optional();

interface RangeInput {
  readonly start_line?: number | undefined;
  readonly end_line?: number | undefined;
  readonly max_answer_chars?: number | undefined;
}

export function toRange(input: RangeInput): LineRange & { maxChars?: number } {
  const { start_line: startLine, end_line: endLine, max_answer_chars: maxChars = -1 } = input;
  return { startLine, endLine, ...(maxChars > 0 ? { maxChars } : {}) };
}

/** What a model is told that sees a part alone. */
export function toPartNote(part: Excerpt["part"]): string {
  if (!part) return "";
  const rest = part.to + 1 < part.of ? ` Go on with start_line ${part.to + 1}.` : "";
  return `\n(Lines ${part.from} to ${part.to} of ${part.of}, counted from 0.${rest})`;
}
